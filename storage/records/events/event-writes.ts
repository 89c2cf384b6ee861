import type { NewEvent } from "../../../domain/events/events.ts";
import type { Queryable, SqlValue } from "../sql/database.ts";
import { withoutNul } from "../sql/text.ts";

/**
 * Puts events into the outbox; one that is there (same id and revision) is left alone. Sequences
 * rise in the order of commits, because the counter's row is locked until the transaction ends: a
 * reader that asks for `> last` misses none. They may have gaps.
 */
export async function insertEvents(
  transaction: Queryable,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await transaction.query(
    `WITH counter AS (
       UPDATE counters SET value = value + $1 WHERE name = 'event_sequence'
       RETURNING value - $1 AS base
     )
     INSERT INTO events
       (sequence, id, revision, type, project_id, asset_id, geofence_id, visit_id, occurred_at_ms,
        recorded_at_ms, latitude, longitude, accuracy_meters, inferred, cause, withdrawn, data)
     SELECT counter.base + place, id, revision, type, project_id, asset_id, geofence_id, visit_id,
       occurred_at_ms, $2, latitude, longitude, accuracy_meters, inferred, cause, withdrawn, data
     FROM counter, unnest($3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::text[], $10::bigint[], $11::float8[], $12::float8[], $13::float8[], $14::bool[],
       $15::text[], $16::bool[], $17::json[])
       WITH ORDINALITY AS incoming (id, revision, type, project_id, asset_id, geofence_id, visit_id,
         occurred_at_ms, latitude, longitude, accuracy_meters, inferred, cause, withdrawn, data,
         place)
     ON CONFLICT (id, revision) DO NOTHING`,
    [events.length, Date.now(), ...columns(events)],
  );
}

function columns(events: readonly NewEvent[]): readonly SqlValue[] {
  return [
    events.map((event) => event.id),
    events.map((event) => event.revision),
    events.map((event) => event.type),
    events.map((event) => event.projectId ?? null),
    events.map((event) => event.assetId ?? null),
    events.map((event) => event.geofenceId ?? null),
    events.map((event) => event.visitId ?? null),
    events.map((event) => Math.round(event.occurredAtMs)),
    events.map((event) => event.location?.latitude ?? null),
    events.map((event) => event.location?.longitude ?? null),
    events.map((event) => event.accuracyMeters ?? null),
    events.map((event) => event.inferred ?? false),
    events.map((event) => (event.cause === undefined ? null : withoutNul(event.cause))),
    events.map((event) => event.withdrawn ?? false),
    events.map((event) => JSON.stringify(event.data)),
  ];
}
