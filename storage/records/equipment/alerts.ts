import type { AlertSeverity, AlertState } from "../../../domain/equipment/alert.ts";
import { DomainError } from "../../../domain/errors.ts";
import type {
  AlertId,
  AlertMuteId,
  AssetId,
  GeofenceId,
  ProjectId,
  VisitId,
} from "../../../domain/ids.ts";
import type {
  Acknowledgement,
  Alert,
  AlertChange,
  AlertFilter,
  AlertRecords,
  AlertUpsert,
} from "../../ports/equipment/alerts.ts";
import { createBatchUpsert } from "../sql/batch-upsert.ts";
import type { Database, Queryable, SqlValue } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { orderBy } from "../sql/list-order.ts";
import { withoutNul } from "../sql/text.ts";

type StoredAlert = {
  readonly id: string;
  readonly type: string;
  readonly severity: AlertSeverity;
  readonly project_id: string;
  readonly asset_id: string | null;
  readonly geofence_id: string | null;
  readonly visit_id: string | null;
  readonly message: string;
  readonly opened_at_ms: number;
  readonly resolved_at_ms: number | null;
  readonly resolution: string | null;
  readonly occurrences: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly acknowledged_at_ms: number | null;
  readonly acknowledged_by: string | null;
  readonly acknowledged_name: string | null;
  readonly device_time_ms: number | null;
  readonly note: string | null;
  readonly mute_id: string | null;
  readonly state: AlertState;
  readonly sequence: number;
};

/** A filter that is not given is null, and then lets everything pass. */
const MATCHES = `($1::text[] IS NULL OR project_id = ANY ($1))
  AND ($2::text IS NULL OR asset_id = $2)
  AND ($3::text IS NULL OR geofence_id = $3)
  AND ($4::text[] IS NULL OR state = ANY ($4))
  AND ($5::text[] IS NULL OR severity = ANY ($5))
  AND ($6::text[] IS NULL OR type = ANY ($6))
  AND ($7::bigint IS NULL OR opened_at_ms >= $7)
  AND ($8::bigint IS NULL OR opened_at_ms < $8)
  AND ($9::text[] IS NULL OR id = ANY ($9))`;

/** Reading and acknowledging alerts in SQL; the pipeline writes them with `upsertAlerts`. */
export class SqlAlertRecords implements AlertRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(
    filter: Parameters<AlertRecords["list"]>[0],
  ): Promise<{ readonly alerts: readonly Alert[]; readonly total: number }> {
    const values = filterValues(filter);
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM alerts WHERE ${MATCHES}`,
      values,
    );
    const rows = await this.#database.query<StoredAlert>(
      `SELECT * FROM alerts WHERE ${MATCHES} ${orderBy("opened_at_ms DESC, id", filter.isReversed)} LIMIT $10 OFFSET $11`,
      [...values, filter.limit, filter.offset],
    );
    return { alerts: rows.map(toAlert), total: counted?.total ?? 0 };
  }

  async after(
    after: number,
    { projectIds, limit }: { readonly projectIds?: readonly ProjectId[]; readonly limit: number },
  ): Promise<readonly AlertChange[]> {
    const rows = await this.#database.query<StoredAlert>(
      `SELECT * FROM alerts WHERE sequence > $1 AND ($2::text[] IS NULL OR project_id = ANY ($2))
       ORDER BY sequence LIMIT $3`,
      [after, projectIds ?? null, limit],
    );
    return rows.map((row) => ({ sequence: row.sequence, alert: toAlert(row) }));
  }

  async lastSequence(): Promise<number> {
    const [row] = await this.#database.query<{ value: number }>(
      "SELECT value FROM counters WHERE name = 'alert_sequence'",
    );
    return row?.value ?? 0;
  }

  async find(id: AlertId): Promise<Alert | undefined> {
    const [row] = await this.#database.query<StoredAlert>("SELECT * FROM alerts WHERE id = $1", [
      id,
    ]);
    return row && toAlert(row);
  }

  async acknowledge(id: AlertId, { keyId, keyName, atMs, note }: Acknowledgement): Promise<Alert> {
    const [row] = await this.#database.query<StoredAlert>(
      `WITH changes AS (${takeSequences("1")})
       UPDATE alerts SET
         acknowledged_by = CASE WHEN acknowledged_at_ms IS NULL THEN $2 ELSE acknowledged_by END,
         note = CASE WHEN acknowledged_at_ms IS NULL THEN $4 ELSE note END,
         acknowledged_name =
           CASE WHEN acknowledged_at_ms IS NULL THEN $5 ELSE acknowledged_name END,
         sequence = CASE WHEN acknowledged_at_ms IS NULL THEN last ELSE sequence END,
         acknowledged_at_ms = coalesce(acknowledged_at_ms, $3)
       FROM changes WHERE id = $1 RETURNING alerts.*`,
      [id, keyId, atMs, note ?? null, keyName],
    );
    if (row === undefined) throw new DomainError("ALERT_NOT_FOUND", `no alert "${id}"`);
    return toAlert(row);
  }

  async acknowledgeSome(
    filter: AlertFilter,
    { keyId, keyName, atMs, note }: Acknowledgement,
    limit: number,
  ): Promise<readonly AlertId[]> {
    const rows = await this.#database.query<{ id: string }>(
      // Numbers of a request that finds fewer alerts stay unused.
      `WITH changes AS (${takeSequences("$10::bigint")}), chosen AS (
         SELECT id, last FROM alerts CROSS JOIN changes
         WHERE ${MATCHES} AND acknowledged_at_ms IS NULL
         ORDER BY opened_at_ms DESC, id LIMIT $10::bigint FOR UPDATE OF alerts
       ), numbered AS (
         SELECT id, last - row_number() OVER () + 1 AS place FROM chosen
       ), changed AS (
         UPDATE alerts SET acknowledged_by = $11, acknowledged_name = $12, acknowledged_at_ms = $13,
           note = $14, sequence = place
         FROM numbered WHERE alerts.id = numbered.id RETURNING alerts.id, alerts.opened_at_ms
       )
       SELECT id FROM changed ORDER BY opened_at_ms DESC, id`,
      [...filterValues(filter), limit, keyId, keyName, atMs, note ?? null],
    );
    return rows.map(({ id }) => id as AlertId);
  }

  expire(beforeMs: number): Promise<boolean> {
    return expireRows(
      this.#database,
      { table: "alerts", old: "aged.resolved_at_ms < $1", order: "resolved_at_ms" },
      [beforeMs],
    );
  }
}

/**
 * Gives out `count` numbers of changes, a number or a placeholder; `last` is the newest. It comes before the
 * alerts' rows are locked, and keeps other changes out until the transaction ends: so two changes cannot wait for
 * each other, and numbers become visible in order.
 */
const takeSequences = (count: string): string =>
  `UPDATE counters SET value = value + ${count} WHERE name = 'alert_sequence' RETURNING value AS last`;
/** In the order of {@link MATCHES}. */
const filterValues = (filter: AlertFilter): readonly SqlValue[] => [
  filter.projectIds ?? null,
  filter.assetId ?? null,
  filter.geofenceId ?? null,
  filter.states ?? null,
  filter.severities ?? null,
  filter.types ?? null,
  filter.fromMs ?? null,
  filter.toMs ?? null,
  filter.ids ?? null,
];

/** An alert that opened at its receipt stays so while the pipeline means the same device time. */
function keptWhere(stored: string, given: string): string {
  const meant = "coalesce(excluded.device_time_ms, excluded.opened_at_ms)";
  return `CASE WHEN alerts.device_time_ms = ${meant} THEN ${stored} ELSE ${given} END`;
}

/** Stores alerts as the pipeline knows them now; whether a person acknowledged them stays. */
export async function upsertAlerts(
  transaction: Queryable,
  alerts: readonly AlertUpsert[],
): Promise<void> {
  if (alerts.length === 0) return;
  const [counter] = await transaction.query<{ last: number }>(takeSequences("$1"), [alerts.length]);
  if (counter === undefined) throw new Error("the counter alert_sequence is missing");
  const before = counter.last - alerts.length;
  await upsertChanges(
    transaction,
    alerts.map((alert, i) => ({ ...alert, sequence: before + i + 1 })),
  );
}

const upsertChanges = createBatchUpsert<AlertUpsert & { readonly sequence: number }>(
  "alerts",
  ["id"],
  [
    ["id", "text", (alert) => alert.id],
    ["type", "text", (alert) => alert.type],
    ["severity", "text", (alert) => alert.severity],
    ["project_id", "text", (alert) => alert.projectId],
    ["asset_id", "text", (alert) => alert.assetId ?? null],
    ["geofence_id", "text", (alert) => alert.geofenceId ?? null],
    ["visit_id", "text", (alert) => alert.visitId ?? null],
    ["message", "text", (alert) => withoutNul(alert.message)],
    [
      "opened_at_ms",
      "bigint",
      (alert) => Math.round(alert.openedAtMs),
      keptWhere("alerts.opened_at_ms", "excluded.opened_at_ms"),
    ],
    [
      "device_time_ms",
      "bigint",
      ({ deviceTimeMs: ms }) => (ms === undefined ? null : Math.round(ms)),
      keptWhere("alerts.device_time_ms", "excluded.device_time_ms"),
    ],
    [
      "resolved_at_ms",
      "bigint",
      ({ resolvedAtMs: ms }) => (ms === undefined ? null : Math.round(ms)),
    ],
    ["resolution", "text", (alert) => alert.resolution ?? null],
    ["occurrences", "int", (alert) => alert.occurrences],
    ["data", "json", (alert) => JSON.stringify(alert.data)],
    ["sequence", "bigint", (alert) => alert.sequence],
  ],
);

function toAlert(row: StoredAlert): Alert {
  return {
    id: row.id as AlertId,
    type: row.type,
    severity: row.severity,
    projectId: row.project_id as ProjectId,
    assetId: (row.asset_id ?? undefined) as AssetId | undefined,
    ...(row.geofence_id === null ? {} : { geofenceId: row.geofence_id as GeofenceId }),
    ...(row.visit_id === null ? {} : { visitId: row.visit_id as VisitId }),
    message: row.message,
    openedAtMs: row.opened_at_ms,
    resolvedAtMs: row.resolved_at_ms ?? undefined,
    ...(row.resolution === null ? {} : { resolution: row.resolution }),
    occurrences: row.occurrences,
    data: row.data,
    state: row.state,
    acknowledgedAtMs: row.acknowledged_at_ms ?? undefined,
    acknowledgedBy: row.acknowledged_by ?? undefined,
    ...(row.acknowledged_name === null ? {} : { acknowledgedName: row.acknowledged_name }),
    ...(row.device_time_ms === null ? {} : { deviceTimeMs: row.device_time_ms }),
    note: row.note ?? undefined,
    ...(row.mute_id === null ? {} : { muteId: row.mute_id as AlertMuteId }),
  };
}
