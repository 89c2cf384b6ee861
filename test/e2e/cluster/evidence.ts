import pg from "pg";
import type { ApiClient } from "../../support/api-client.ts";
import { storedNumbers } from "../../support/site.ts";
import { fixTimeMs, isInside, numberAt, type Sent } from "./fleet.ts";

/** Places of the messages that the broker acknowledged and that cannot be read back, by asset. */
export async function missingNumbers(
  api: ApiClient,
  sent: readonly Sent[],
  sinceMs?: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const missing = new Map<string, readonly number[]>();
  for (const { machine, count } of sent) {
    const stored = new Set(await storedNumbers(api, machine.id, sinceMs));
    const absent = Array.from({ length: count }, (_, k) => k).filter(
      (k) => !stored.has(numberAt(machine, k)),
    );
    if (absent.length > 0) missing.set(machine.id, absent);
  }
  return missing;
}

/** How many messages of all assets those are. */
export function count(missing: ReadonlyMap<string, readonly number[]>): number {
  return [...missing.values()].reduce((sum, numbers) => sum + numbers.length, 0);
}

/** Crossings as they must be recorded, every one that was made: `{asset} {type} {time}`. */
export function expectedCrossings(sent: readonly Sent[], startMs: number): readonly string[] {
  return sent.flatMap(({ machine, count }) =>
    Array.from({ length: count }, (_, n) => n)
      .filter((n) => isInside(machine, n) !== (n > 0 && isInside(machine, n - 1)))
      .map((n) => crossing(machine.id, isInside(machine, n), fixTimeMs(startMs, n))),
  );
}

/** What was recorded of crossings. */
export interface RecordedCrossings {
  /** One for each event as it is now, withdrawn ones left out. */
  readonly crossings: readonly string[];
  /** What was published and withdrawn, with every revision of it. */
  readonly withdrawn: readonly string[];
  readonly revised: number;
}

export async function recordedCrossings(databaseUrl: string): Promise<RecordedCrossings> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<StoredCrossing>(
      `SELECT DISTINCT ON (id) id, asset_id, type, occurred_at_ms, withdrawn, revision FROM events
       WHERE type LIKE 'equipment.geofence.%' ORDER BY id, revision DESC`,
    );
    return {
      crossings: rows
        .filter(({ withdrawn }) => !withdrawn)
        .map(({ asset_id, type, occurred_at_ms }) =>
          crossing(asset_id, type.startsWith("equipment.geofence.entered"), Number(occurred_at_ms)),
        ),
      withdrawn: await histories(
        client,
        rows.filter(({ withdrawn }) => withdrawn),
      ),
      revised: rows.filter(({ revision }) => revision > 1).length,
    };
  } finally {
    await client.end();
  }
}

/** Ids of all crossings. */
export async function eventIds(databaseUrl: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly id: string }>(
      "SELECT DISTINCT id FROM events WHERE type LIKE 'equipment.geofence.%'",
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

/** All revisions of these events, and when each was recorded, to help find the reason. */
async function histories(
  client: pg.Client,
  events: readonly StoredCrossing[],
): Promise<readonly string[]> {
  const { rows } = await client.query<StoredCrossing & { readonly recorded_at_ms: string }>(
    `SELECT asset_id, type, occurred_at_ms, withdrawn, revision, recorded_at_ms FROM events
     WHERE id = ANY ($1) ORDER BY id, revision`,
    [events.map(({ id }) => id)],
  );
  return rows.map(
    ({ asset_id, type, occurred_at_ms, revision, recorded_at_ms }) =>
      `${asset_id} ${type} ${occurred_at_ms} revision ${revision} at ${recorded_at_ms}`,
  );
}

interface StoredCrossing {
  readonly id: string;
  readonly asset_id: string;
  readonly type: string;
  readonly occurred_at_ms: string;
  readonly withdrawn: boolean;
  readonly revision: number;
}

const crossing = (assetId: string, isEntry: boolean, atMs: number): string =>
  `${assetId} ${isEntry ? "entered" : "exited"} ${atMs}`;

/** How often each of `found` is not in `wanted`, counted with repetitions. */
export function surplus(found: readonly string[], wanted: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const one of wanted) left.set(one, (left.get(one) ?? 0) + 1);
  return found.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}
