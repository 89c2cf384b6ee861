import type { NewEvent, StoredEvent, StoredEventType } from "../../../domain/events/events.ts";
import type { EventFilter, EventRecords } from "../../ports/events/events.ts";
import type { Database } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { ASCENDING, DESCENDING, type EventReads } from "./event-reads.ts";
import { insertEvents } from "./event-writes.ts";

type StoredRow = {
  readonly sequence: number;
  readonly id: string;
  readonly revision: number;
  readonly type: StoredEventType;
  readonly project_id: string | null;
  readonly asset_id: string | null;
  readonly geofence_id: string | null;
  readonly visit_id: string | null;
  readonly occurred_at_ms: number;
  readonly recorded_at_ms: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly accuracy_meters: number | null;
  readonly inferred: boolean;
  readonly cause: string | null;
  readonly withdrawn: boolean;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Reading the outbox in SQL. */
export class SqlEventRecords implements EventRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  after(after: number, filter: EventFilter): Promise<readonly StoredEvent[]> {
    return this.#read(ASCENDING, after, filter);
  }

  before(before: number, filter: EventFilter): Promise<readonly StoredEvent[]> {
    return this.#read(DESCENDING, before, filter);
  }

  async lastSequence(): Promise<number> {
    const [row] = await this.#database.query<{ value: number }>(
      "SELECT value FROM counters WHERE name = 'event_sequence'",
    );
    return row?.value ?? 0;
  }

  async oldestSequence(): Promise<number> {
    const [row] = await this.#database.query<{ oldest: number }>(
      `SELECT coalesce((SELECT min(sequence) FROM events), value + 1) AS oldest
       FROM counters WHERE name = 'event_sequence'`,
    );
    return row?.oldest ?? 1;
  }

  // One statement is a transaction of its own.
  append(events: readonly NewEvent[]): Promise<void> {
    return insertEvents(this.#database, events);
  }

  expire(beforeMs: number): Promise<boolean> {
    return expireRows(this.#database, { table: "events", old: OLD, order: "recorded_at_ms" }, [
      beforeMs,
    ]);
  }

  async #read(
    statements: EventReads,
    from: number,
    { projectIds, assetId, types, limit }: EventFilter,
  ): Promise<readonly StoredEvent[]> {
    const filter = [from, projectIds ?? null, patterns(types), limit];
    if (assetId !== undefined) return this.#toEvents(statements.ofAsset, [...filter, assetId]);
    if (projectIds === undefined && types === undefined) {
      return this.#toEvents(statements.all, [from, limit]);
    }
    const near = await this.#toEvents(statements.nearby, filter);
    return near.length === limit ? near : this.#toEvents(statements.ofKinds, filter);
  }

  async #toEvents(
    statement: string,
    values: Parameters<Database["query"]>[1],
  ): Promise<readonly StoredEvent[]> {
    const rows = await this.#database.query<StoredRow>(statement, values);
    return rows.map(toEvent);
  }
}

/** Types as patterns of LIKE; none of its own signs is left in them. */
function patterns(types: readonly string[] | undefined): readonly string[] | null {
  if (types === undefined) return null;
  return types.map((type) => {
    const isPrefix = type.endsWith("*");
    const text = (isPrefix ? type.slice(0, -1) : type).replaceAll(/[\\%_]/g, "\\$&");
    return isPrefix ? `${text}%` : text;
  });
}

/** Recorded before `$1`, and no active webhook has still to take it or to deliver it. */
const OLD = `aged.recorded_at_ms < $1 AND aged.sequence <= (
  SELECT coalesce(min(done), 9223372036854775807) FROM (
    SELECT sequence AS done FROM webhook_cursors JOIN webhooks ON id = webhook_id
    WHERE status = 'active'
    UNION ALL
    SELECT event_sequence - 1 FROM webhooks, LATERAL (
      SELECT event_sequence FROM webhook_deliveries
      WHERE webhook_id = webhooks.id AND state = 'pending' ORDER BY event_sequence LIMIT 1
    ) AS oldest
    WHERE status = 'active'
  ) AS needed
)`;

function toEvent(row: StoredRow): StoredEvent {
  const { latitude, longitude } = row;
  return {
    sequence: row.sequence,
    id: row.id,
    revision: row.revision,
    type: row.type,
    projectId: row.project_id ?? undefined,
    assetId: row.asset_id ?? undefined,
    geofenceId: row.geofence_id ?? undefined,
    visitId: row.visit_id ?? undefined,
    occurredAtMs: row.occurred_at_ms,
    recordedAtMs: row.recorded_at_ms,
    location: latitude === null || longitude === null ? undefined : { latitude, longitude },
    accuracyMeters: row.accuracy_meters ?? undefined,
    inferred: row.inferred,
    cause: row.cause ?? undefined,
    withdrawn: row.withdrawn,
    data: row.data,
  };
}
