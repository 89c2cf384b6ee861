import type { NewEvent } from "../../domain/events/events.ts";

/** An event of asset a1 of project p1 at 2026-03-05 12:00 UTC, to be put into an outbox. */
export function newEvent(id: string, more: Partial<NewEvent> = {}): NewEvent {
  return {
    id,
    revision: 1,
    type: "equipment.geofence.entered",
    projectId: "p1",
    assetId: "a1",
    occurredAtMs: Date.UTC(2026, 2, 5, 12),
    data: {},
    ...more,
  };
}
