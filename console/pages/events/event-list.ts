import type { PlumblineEvent } from "../../api/live-messages.ts";
import { csvOf } from "../../format/csv.ts";

/** What the log shows. Absent: all. */
export interface EventChoice {
  readonly types: readonly string[];
  readonly assetId: string | undefined;
  readonly projectId: string | undefined;
  /** Recorded since, ms since the Unix epoch. */
  readonly fromMs: number | undefined;
}

/** Whether an event of the live stream belongs to the log; its type may be a change or withdrawal of a chosen one. */
export function isChosen(
  { types, assetId, projectId, fromMs }: EventChoice,
  { type, asset_id, project_id, recorded_at }: PlumblineEvent,
): boolean {
  const base = type.replace(/\.(revised|withdrawn)$/, "");
  return (
    (types.length === 0 || types.includes(base)) &&
    (assetId === undefined || assetId === asset_id) &&
    (projectId === undefined || projectId === project_id) &&
    (fromMs === undefined || Date.parse(recorded_at) >= fromMs)
  );
}

/** Lines that a log which stays open grows to: the browser lays them all out. Older ones are read again on demand. */
const MOST_LINES = 1_000;

/**
 * The log after the live stream brought more, no longer than it was or {@link MOST_LINES}; `cutAt`: the sequence that
 * it was cut behind.
 */
export function grownLog(
  read: readonly PlumblineEvent[],
  live: readonly PlumblineEvent[],
): { readonly events: readonly PlumblineEvent[]; readonly cutAt: number | undefined } {
  const all = mergedEvents(read, live);
  const events = all.slice(0, Math.max(read.length, MOST_LINES));
  return { events, cutAt: events.length < all.length ? events.at(-1)?.sequence : undefined };
}

/**
 * What was read and what the live stream brought, newest first, each once. Live ones older than what was read down to
 * are left to the next page.
 */
function mergedEvents(
  read: readonly PlumblineEvent[],
  live: readonly PlumblineEvent[],
): readonly PlumblineEvent[] {
  const oldest = read.at(-1)?.sequence ?? 0;
  const bySequence = new Map(read.map((event) => [event.sequence, event]));
  for (const event of live) if (event.sequence > oldest) bySequence.set(event.sequence, event);
  return [...bySequence.values()].sort((a, b) => b.sequence - a.sequence);
}

const COLUMNS = [
  "sequence",
  "id",
  "revision",
  "type",
  "project_id",
  "asset_id",
  "geofence_id",
  "occurred_at",
  "recorded_at",
  "latitude",
  "longitude",
  "accuracy_meters",
  "inferred",
  "cause",
  "withdrawn",
  "data",
] as const;

/** The log as CSV, in the API's words and units; `data` is JSON. */
export function eventsCsv(events: readonly PlumblineEvent[]): string {
  const rows = events.map((event) => [
    event.sequence,
    event.id,
    event.revision,
    event.type,
    event.project_id,
    event.asset_id,
    event.geofence_id,
    event.occurred_at,
    event.recorded_at,
    event.location?.latitude,
    event.location?.longitude,
    event.accuracy_meters,
    event.inferred,
    event.cause,
    event.withdrawn,
    JSON.stringify(event.data),
  ]);
  return csvOf([COLUMNS, ...rows]);
}
