import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { AssetStateRow } from "../ports/equipment/state-changes.ts";
import type { JournalPosition } from "../ports/journal.ts";
import type { PipelineCommit, PipelineRecords, UtilizationDay } from "../ports/pipeline.ts";
import { muteAlerts } from "./equipment/alert-mutes.ts";
import { upsertAlerts } from "./equipment/alerts.ts";
import { insertQuarantined } from "./equipment/quarantine-writes.ts";
import { STATE_CHANGE_SLOTS } from "./equipment/state-changes.ts";
import { upsertVisits } from "./equipment/visits.ts";
import { insertEvents } from "./events/event-writes.ts";
import { fence } from "./platform/leases.ts";
import { createBatchUpsert } from "./sql/batch-upsert.ts";
import type { Database, SqlValue } from "./sql/database.ts";

/** The node of the only pipeline there is. */
const MAIN_NODE = "main";

type StoredDay = {
  readonly asset_id: string;
  readonly day: string;
  readonly project_id: string;
  readonly working_s: number;
  readonly overtime_s: number;
  readonly engine_on_s: number;
  readonly distance_m: number;
  readonly usage: string | null;
};

/** What the pipeline keeps between two runs, in SQL. */
export class SqlPipelineRecords implements PipelineRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async checkpoint(nodeId: string = MAIN_NODE): Promise<JournalPosition | undefined> {
    const [row] = await this.#database.query<{ journal_id: string; sequence: number }>(
      "SELECT journal_id, sequence FROM pipeline_checkpoint WHERE node_id = $1",
      [nodeId],
    );
    return row && { journalId: row.journal_id, sequence: row.sequence };
  }

  async states(projectIds?: readonly ProjectId[]): Promise<readonly AssetStateRow[]> {
    const rows = await this.#database.query<{ asset_id: string; state: string }>(
      `SELECT asset_id, state FROM asset_state WHERE $1::text[] IS NULL
         OR asset_id IN (SELECT id FROM assets WHERE project_id = ANY ($1))
       ORDER BY asset_id`,
      [projectIds ?? null],
    );
    return rows.map((row) => ({ assetId: row.asset_id as AssetId, state: row.state }));
  }

  async shared(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database.query<{ name: string; state: string }>(
      "SELECT name, state FROM pipeline_shared",
    );
    return new Map(rows.map((row) => [row.name, row.state]));
  }

  async share(states: ReadonlyMap<string, string>): Promise<void> {
    await upsertShared(this.#database, [...states]);
  }

  async days(assetId: AssetId, fromDay: string, toDay: string): Promise<readonly UtilizationDay[]> {
    return await this.daysOf([assetId], fromDay, toDay);
  }

  async daysOf(
    assetIds: readonly AssetId[],
    fromDay: string,
    toDay: string,
  ): Promise<readonly UtilizationDay[]> {
    const rows = await this.#database.query<StoredDay>(
      `SELECT asset_id, day, project_id, working_s, overtime_s, engine_on_s, distance_m, usage
       FROM utilization_days WHERE asset_id = ANY ($1) AND day BETWEEN $2 AND $3
       ORDER BY asset_id, day`,
      [assetIds, fromDay, toDay],
    );
    return rows.map(utilizationDay);
  }

  async engineOnS(assetId: AssetId): Promise<number> {
    const [row] = await this.#database.query<{ sum: number | null }>(
      "SELECT sum(engine_on_s) AS sum FROM utilization_days WHERE asset_id = $1",
      [assetId],
    );
    return row?.sum ?? 0;
  }

  async commit(change: PipelineCommit): Promise<void> {
    const { checkpoint, states, days } = change;
    const hot: readonly SqlValue[] = [
      checkpoint.journalId,
      checkpoint.sequence,
      ...stateColumns(states),
      ...dayColumns(days),
      change.node?.id ?? MAIN_NODE,
      dayUsages(days),
    ];
    if (isHotOnly(change)) {
      // One statement is a transaction of its own: one round trip.
      await this.#database.query(STORE_PROGRESS, hot);
      return;
    }
    await this.#database.transaction(async (transaction) => {
      // First: nobody takes a lease over before this transaction has ended.
      await fence(transaction, change.node?.leases ?? []);
      await transaction.query(STORE_PROGRESS, hot);
      await upsertShared(transaction, [...change.shared]);
      await insertQuarantined(transaction, change.quarantined);
      await upsertVisits(transaction, change.visits);
      await upsertAlerts(transaction, change.alerts);
      await muteAlerts(transaction, change.alerts);
      // Last: it holds up everybody else who raises events until the transaction ends.
      await insertEvents(transaction, change.events);
    });
  }
}

/** Whether there is nothing but what changes with every reading. */
function isHotOnly(change: PipelineCommit): boolean {
  const { quarantined, events, visits, alerts, shared, node } = change;
  const others = [quarantined, events, visits, alerts, node?.leases ?? []];
  return others.every((rows) => rows.length === 0) && shared.size === 0;
}

const upsertShared = createBatchUpsert<readonly [name: string, state: string]>(
  "pipeline_shared",
  ["name"],
  [
    ["name", "text", ([name]) => name],
    ["state", "text", ([, state]) => state],
  ],
);

/**
 * Checkpoint, states, whose they are, and days in one statement. Columns travel as text joined by
 * U+001F (which neither ids nor JSON text can hold) instead of array literals: pg would escape every
 * quote of the JSON and PostgreSQL read it back character by character.
 */
const STORE_PROGRESS = `
WITH checkpoint AS (
  INSERT INTO pipeline_checkpoint AS stored (journal_id, sequence, node_id, commits)
  VALUES ($1, $2, $12, 1)
  ON CONFLICT (node_id) DO UPDATE SET
    journal_id = excluded.journal_id, sequence = excluded.sequence, commits = stored.commits + 1
  RETURNING node_id, commits
), changes AS (
  INSERT INTO state_changes (node_id, slot, commit_number, asset_ids)
  SELECT node_id, commits % ${STATE_CHANGE_SLOTS}, commits, $3 FROM checkpoint
  ON CONFLICT (node_id, slot) DO UPDATE SET
    commit_number = excluded.commit_number, asset_ids = excluded.asset_ids
), states AS (
  INSERT INTO asset_state (asset_id, state)
  SELECT * FROM unnest(string_to_array($3, E'\\x1f'), string_to_array($4, E'\\x1f'))
  ON CONFLICT (asset_id) DO UPDATE SET state = excluded.state
)
INSERT INTO utilization_days
  (asset_id, day, project_id, working_s, overtime_s, engine_on_s, distance_m, usage)
SELECT * FROM unnest($5::text[], $6::date[], $7::text[], $8::float8[], $9::float8[], $10::float8[],
  $11::float8[], $13::text[])
ON CONFLICT (asset_id, day) DO UPDATE SET
  project_id = excluded.project_id,
  working_s = excluded.working_s,
  overtime_s = excluded.overtime_s,
  engine_on_s = excluded.engine_on_s,
  distance_m = excluded.distance_m,
  usage = excluded.usage`;

const SEPARATOR = "\x1f";

/** One row per asset, the last one given: an upsert must not meet a row twice. */
function stateColumns(states: readonly AssetStateRow[]): readonly SqlValue[] {
  const stateById = new Map(states.map(({ assetId, state }) => [assetId, state]));
  return [[...stateById.keys()].join(SEPARATOR), [...stateById.values()].join(SEPARATOR)];
}

/** One row for each asset and day, the last one given. */
const distinctDays = (days: readonly UtilizationDay[]): readonly UtilizationDay[] => [
  ...new Map(days.map((day) => [`${day.assetId} ${day.day}`, day])).values(),
];

/** In the order of {@link dayColumns}. */
const dayUsages = (days: readonly UtilizationDay[]): SqlValue =>
  distinctDays(days).map(({ usage }) => usage?.join(",") ?? null);

function dayColumns(days: readonly UtilizationDay[]): readonly SqlValue[] {
  const rows = distinctDays(days);
  return [
    rows.map((row) => row.assetId),
    rows.map((row) => row.day),
    rows.map((row) => row.projectId),
    rows.map((row) => row.workingS),
    rows.map((row) => row.overtimeS),
    rows.map((row) => row.engineOnS),
    rows.map((row) => row.distanceM),
  ];
}

function utilizationDay(row: StoredDay): UtilizationDay {
  return {
    assetId: row.asset_id as AssetId,
    projectId: row.project_id as ProjectId,
    day: row.day,
    workingS: row.working_s,
    overtimeS: row.overtime_s,
    engineOnS: row.engine_on_s,
    distanceM: row.distance_m,
    usage: row.usage === null ? undefined : row.usage.split(",").map(Number),
  };
}
