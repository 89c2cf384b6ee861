import { DomainError } from "../../../domain/errors.ts";
import type { AssetId, FleetSourceId } from "../../../domain/ids.ts";
import type {
  FleetPoll,
  FleetSource,
  FleetSourceRecords,
  PolledFleetSource,
  TakenSections,
} from "../../ports/equipment/fleet-sources.ts";
import { createBatchUpsert } from "../sql/batch-upsert.ts";
import type { Database, Queryable, SqlValue } from "../sql/database.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { requireRoomForSource } from "../sql/record-limits.ts";
import { withoutNul } from "../sql/text.ts";

type StoredSource = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly auth: FleetSource["auth"];
  readonly interval_s: number;
  readonly series: FleetSource["series"] | null;
  readonly status: FleetSource["status"];
  readonly poll_requested_at_ms: number | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly outcome: FleetPoll | null;
};

type StoredSections = {
  readonly asset_id: string;
  readonly machine: string;
  readonly sections: TakenSections["sections"];
  readonly series: TakenSections["series"] | null;
};

/** A row of one source. */
interface TakenRow extends TakenSections {
  readonly sourceId: FleetSourceId;
}

const COLUMNS =
  "id, name, url, auth, interval_s, status, created_at_ms, updated_at_ms, fleet_sources.series";
const POLLED = `SELECT ${COLUMNS}, poll_requested_at_ms, outcome
  FROM fleet_sources LEFT JOIN fleet_source_polls ON source_id = id`;

/** Servers of other makers, the last poll of each and what was taken, in SQL. */
export class SqlFleetSourceRecords implements FleetSourceRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(source: FleetSource): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      await requireRoomForSource(transaction);
      await explainViolations(
        transaction.query(
          `INSERT INTO fleet_sources (id, name, url, auth, interval_s, status, created_at_ms,
             updated_at_ms, series)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          toValues(source),
        ),
        { unique: ["ID_CONFLICT", `fleet source id "${source.id}" is taken`] },
      );
    });
  }

  async list(): Promise<readonly PolledFleetSource[]> {
    const rows = await this.#database.query<StoredSource>(`${POLLED} ORDER BY created_at_ms, id`);
    return rows.map(toPolled);
  }

  find(id: FleetSourceId): Promise<PolledFleetSource | undefined> {
    return this.#find(this.#database, id);
  }

  update(
    id: FleetSourceId,
    change: (before: FleetSource) => FleetSource,
  ): Promise<PolledFleetSource> {
    return this.#database.transaction(async (transaction) => {
      // NO KEY: a poll, which refers to it, can be recorded meanwhile.
      const locked = await transaction.query(
        "SELECT id FROM fleet_sources WHERE id = $1 FOR NO KEY UPDATE",
        [id],
      );
      const before = locked.length === 0 ? undefined : await this.#find(transaction, id);
      if (before === undefined) throw sourceNotFound(id);
      const source = change(before.source);
      await transaction.query(
        `UPDATE fleet_sources SET name = $2, url = $3, auth = $4, interval_s = $5, status = $6,
           created_at_ms = $7, updated_at_ms = $8, series = $9
         WHERE id = $1`,
        toValues({ ...source, id }),
      );
      return { ...before, source };
    });
  }

  async delete(id: FleetSourceId): Promise<void> {
    const deleted = await this.#database.query(
      "DELETE FROM fleet_sources WHERE id = $1 RETURNING id",
      [id],
    );
    if (deleted.length === 0) throw sourceNotFound(id);
  }

  async requestPoll(id: FleetSourceId, atMs: number): Promise<void> {
    const asked = await this.#database.query(
      "UPDATE fleet_sources SET poll_requested_at_ms = $2 WHERE id = $1 RETURNING id",
      [id, atMs],
    );
    if (asked.length === 0) throw sourceNotFound(id);
  }

  async taken(id: FleetSourceId): Promise<readonly TakenSections[]> {
    const rows = await this.#database.query<StoredSections>(
      `SELECT asset_id, machine, sections, series FROM fleet_source_machines WHERE source_id = $1
       ORDER BY asset_id`,
      [id],
    );
    return rows.map(({ asset_id, machine, sections, series }) => ({
      assetId: asset_id as AssetId,
      machine,
      sections,
      ...(series == null ? {} : { series }),
    }));
  }

  recordPoll(
    id: FleetSourceId,
    poll: FleetPoll | undefined,
    taken: readonly TakenSections[],
  ): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      const known = await transaction.query(
        "SELECT id FROM fleet_sources WHERE id = $1 FOR KEY SHARE",
        [id],
      );
      if (known.length === 0) return;
      if (poll !== undefined) {
        await transaction.query(
          `INSERT INTO fleet_source_polls (source_id, outcome) VALUES ($1, $2)
           ON CONFLICT (source_id) DO UPDATE SET outcome = excluded.outcome`,
          [id, JSON.stringify(poll)],
        );
      }
      await upsertTaken(
        transaction,
        taken.map((one) => ({ ...one, sourceId: id })),
      );
    });
  }

  async #find(queryable: Queryable, id: FleetSourceId) {
    const [row] = await queryable.query<StoredSource>(`${POLLED} WHERE id = $1`, [id]);
    return row && toPolled(row);
  }
}

const upsertTaken = createBatchUpsert<TakenRow>(
  "fleet_source_machines",
  ["source_id", "asset_id"],
  [
    ["source_id", "text", (row) => row.sourceId],
    ["asset_id", "text", (row) => row.assetId],
    ["machine", "text", (row) => withoutNul(row.machine)],
    ["sections", "json", (row) => JSON.stringify(row.sections)],
    ["series", "json", (row) => (row.series === undefined ? null : JSON.stringify(row.series))],
  ],
);

function sourceNotFound(id: FleetSourceId): DomainError {
  return new DomainError("SOURCE_NOT_FOUND", `no fleet source "${id}"`);
}

function toValues(source: FleetSource): readonly SqlValue[] {
  return [
    source.id,
    source.name,
    source.url,
    JSON.stringify(source.auth),
    source.intervalS,
    source.status,
    source.createdAtMs,
    source.updatedAtMs,
    source.series.length === 0 ? null : JSON.stringify(source.series),
  ];
}

function toPolled(row: StoredSource): PolledFleetSource {
  return {
    source: {
      id: row.id as FleetSourceId,
      name: row.name,
      url: row.url,
      auth: row.auth,
      intervalS: row.interval_s,
      series: row.series ?? [],
      status: row.status,
      createdAtMs: row.created_at_ms,
      updatedAtMs: row.updated_at_ms,
    },
    lastPoll: row.outcome ?? undefined,
    pollRequestedAtMs: row.poll_requested_at_ms ?? undefined,
  };
}
