import type { QuarantineEntry } from "../../ports/equipment/quarantine.ts";
import type { Queryable, SqlValue } from "../sql/database.ts";
import { withoutNul } from "../sql/text.ts";

/** Entries kept per asset and UTC day of receipt (docs/rules.md#intake); the rest are counted. */
const KEPT_PER_DAY = 1_000;
/** `{journalId}-{sequence}`, see the port. */
const ENTRY_ID = /^(.+)-(\d+)$/;

/**
 * Keeps or counts quarantined messages, each exactly once however often it is replayed: records of one
 * journal come in order. So per asset, day and journal the newest sequence counted separates a replayed
 * message from a new one, also when it was only counted and has no row. A journal that was set back to an
 * older copy of itself uses sequences again: of what it then holds for an asset, messages up to the sequence
 * counted before on the same UTC day are taken for replays.
 */
export async function insertQuarantined(
  transaction: Queryable,
  entries: readonly QuarantineEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await transaction.query(
    `WITH incoming AS (
       SELECT *, (to_timestamp(received_at_ms / 1000.0) AT TIME ZONE 'UTC')::date AS day
       FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
         $7::text[], $8::text[], $9::text[], $10::bytea[])
         AS given (id, journal_id, sequence, asset_id, project_id, received_at_ms, topic, format,
           reason, payload)
     ), fresh AS (
       SELECT incoming.*, coalesce(kept_before, 0) + row_number() OVER (
         PARTITION BY incoming.asset_id, incoming.day ORDER BY incoming.sequence
       ) <= $11 AS keep
       FROM incoming
       LEFT JOIN quarantine_days AS counted USING (asset_id, day, journal_id)
       LEFT JOIN LATERAL (
         SELECT sum(kept) AS kept_before FROM quarantine_days AS total
         WHERE total.asset_id = incoming.asset_id AND total.day = incoming.day
       ) AS total ON true
       WHERE incoming.sequence > coalesce(counted.last_sequence, 0)
     ), stored AS (
       INSERT INTO quarantine
         (id, asset_id, project_id, received_at_ms, topic, format, reason, payload)
       SELECT id, asset_id, project_id, received_at_ms, topic, format, reason, payload
       FROM fresh WHERE keep
       ON CONFLICT (id) DO NOTHING
     )
     INSERT INTO quarantine_days
       (asset_id, day, journal_id, project_id, last_sequence, kept, dropped)
     SELECT asset_id, day, journal_id, max(project_id), max(sequence),
       count(*) FILTER (WHERE keep), count(*) FILTER (WHERE NOT keep)
     FROM fresh GROUP BY asset_id, day, journal_id
     ON CONFLICT (asset_id, day, journal_id) DO UPDATE SET
       last_sequence = excluded.last_sequence,
       kept = quarantine_days.kept + excluded.kept,
       dropped = quarantine_days.dropped + excluded.dropped`,
    [...columns(entries), KEPT_PER_DAY],
  );
}

function columns(entries: readonly QuarantineEntry[]): readonly SqlValue[] {
  // One row per record: the window counts every row it is given.
  const rows = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
  const places = rows.map((entry) => placeOf(entry.id));
  return [
    rows.map((entry) => entry.id),
    places.map((place) => place.journalId),
    places.map((place) => place.sequence),
    rows.map((entry) => entry.assetId),
    rows.map((entry) => entry.projectId),
    rows.map((entry) => Math.round(entry.receivedAtMs)),
    rows.map((entry) => withoutNul(entry.topic)),
    rows.map((entry) => withoutNul(entry.format)),
    rows.map((entry) => withoutNul(entry.reason)),
    rows.map((entry) => entry.payload),
  ];
}

function placeOf(id: string): { readonly journalId: string; readonly sequence: number } {
  const [, journalId, sequence] = ENTRY_ID.exec(id) ?? [];
  if (journalId === undefined || sequence === undefined) {
    throw new Error(`quarantine id "${id}" is not {journalId}-{sequence}`);
  }
  return { journalId, sequence: Number(sequence) };
}
