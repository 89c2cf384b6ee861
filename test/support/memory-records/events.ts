import type { NewEvent, StoredEvent } from "../../../domain/events/events.ts";
import type { EventFilter, EventRecords } from "../../../storage/ports/events/events.ts";
import { type MemoryRows, passes, removeWhere } from "./rows.ts";

/** The outbox in memory. */
export function createMemoryEvents(rows: MemoryRows, now: () => number): EventRecords {
  const wanted = ({ projectIds, assetId, types }: EventFilter) =>
    rows.events
      .filter((event) => passes<string>(projectIds, event.projectId))
      .filter((event) => assetId === undefined || event.assetId === assetId)
      .filter((event) => types?.some((type) => isOfType(event, type)) ?? true);
  return {
    after: async (after, filter) =>
      wanted(filter)
        .filter((event) => event.sequence > after)
        .slice(0, filter.limit),
    before: async (before, filter) =>
      wanted(filter)
        .filter((event) => event.sequence < before)
        .reverse()
        .slice(0, filter.limit),
    lastSequence: async () => rows.lastSequence,
    oldestSequence: async () => rows.events[0]?.sequence ?? rows.lastSequence + 1,
    async append(events) {
      appendEvents(rows, events, now());
    },
    async expire(beforeMs) {
      const lastSequence = lastUnneeded(rows);
      removeWhere(
        rows.events,
        (event) => event.recordedAtMs < beforeMs && event.sequence <= lastSequence,
      );
      return false;
    },
  };
}

/** Puts events into the outbox; one that is there (id, revision) is left alone. */
export function appendEvents(
  rows: MemoryRows,
  events: readonly NewEvent[],
  recordedAtMs: number,
): void {
  for (const event of events) {
    const isKnown = ({ id, revision }: StoredEvent) =>
      id === event.id && revision === event.revision;
    if (rows.events.some(isKnown)) continue;
    rows.lastSequence += 1;
    rows.events.push({
      sequence: rows.lastSequence,
      id: event.id,
      revision: event.revision,
      type: event.type,
      projectId: event.projectId,
      assetId: event.assetId,
      geofenceId: event.geofenceId,
      visitId: event.visitId,
      occurredAtMs: event.occurredAtMs,
      recordedAtMs,
      location: event.location,
      accuracyMeters: event.accuracyMeters,
      inferred: event.inferred ?? false,
      cause: event.cause,
      withdrawn: event.withdrawn ?? false,
      data: event.data,
    });
  }
}

function isOfType(event: StoredEvent, type: string): boolean {
  return type.endsWith("*") ? event.type.startsWith(type.slice(0, -1)) : event.type === type;
}

/** The sequence up to which no active webhook needs an event any more. */
function lastUnneeded({ webhooks, webhookCursors, deliveries }: MemoryRows): number {
  const isActive = (id: string) =>
    [...webhooks.values()].some((webhook) => webhook.id === id && webhook.status === "active");
  const cursors = [...webhookCursors]
    .filter(([id]) => isActive(id))
    .map(([, sequence]) => sequence);
  const pending = [...deliveries.values()]
    .filter((delivery) => delivery.state === "pending" && isActive(delivery.webhookId))
    .map((delivery) => delivery.eventSequence - 1);
  return Math.min(Infinity, ...cursors, ...pending);
}
