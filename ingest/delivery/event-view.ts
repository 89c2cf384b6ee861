import type { EventView } from "../../domain/events/event-view.ts";
import type { StoredEvent } from "../../domain/events/events.ts";

/** The public form of an event. */
export function eventView(event: StoredEvent): EventView {
  const { projectId, assetId, geofenceId, visitId, location, accuracyMeters, cause } = event;
  return {
    id: event.id,
    sequence: event.sequence,
    revision: event.revision,
    type: event.type,
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(assetId === undefined ? {} : { asset_id: assetId }),
    ...(geofenceId === undefined ? {} : { geofence_id: geofenceId }),
    ...(visitId === undefined ? {} : { visit_id: visitId }),
    occurred_at: new Date(event.occurredAtMs).toISOString(),
    recorded_at: new Date(event.recordedAtMs).toISOString(),
    ...(location === undefined
      ? {}
      : { location: { latitude: location.latitude, longitude: location.longitude } }),
    ...(accuracyMeters === undefined ? {} : { accuracy_meters: accuracyMeters }),
    inferred: event.inferred,
    ...(cause === undefined ? {} : { cause }),
    withdrawn: event.withdrawn,
    data: event.data,
  };
}

const texts = new WeakMap<StoredEvent, string>();

/** `eventView` as JSON text; made once per event object, however many readers it goes to. */
export function eventText(event: StoredEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(eventView(event));
  texts.set(event, text);
  return text;
}
