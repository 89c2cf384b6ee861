import type { AlertSeverity, AssetAlertType } from "../../../domain/equipment/alert.ts";
import { ALERT_SEVERITIES } from "../../../domain/equipment/alert.ts";
import type { AlertId, AlertMuteId, AssetId, GeofenceId, ProjectId } from "../../../domain/ids.ts";
import { requireRoomForMute } from "../../../domain/platform/record-limits.ts";
import type { AlertMute, AlertMuteRecords } from "../../ports/equipment/alert-mutes.ts";
import type { Database, Queryable } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { orderBy } from "../sql/list-order.ts";
import { withoutNul } from "../sql/text.ts";

type StoredMute = {
  readonly id: string;
  readonly project_id: string;
  readonly asset_id: string;
  readonly type: string;
  readonly geofence_id: string | null;
  readonly max_severity: string;
  readonly from_ms: number;
  readonly until_ms: number;
  readonly note: string | null;
  readonly created_by: string;
  readonly created_by_name: string;
};

const MATCHES = `($1::text[] IS NULL OR project_id = ANY ($1))
  AND ($2::text IS NULL OR asset_id = $2)
  AND ($3::bigint IS NULL OR until_ms > $3)`;

/** Mutes of alerts in SQL; `muteAlerts` applies them. */
export class SqlAlertMuteRecords implements AlertMuteRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(mute: AlertMute): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      // Two that count before either commits would both fit in.
      await transaction.query("SELECT id FROM assets WHERE id = $1 FOR UPDATE", [mute.assetId]);
      const [counted] = await transaction.query<{ count: number }>(
        "SELECT count(*) AS count FROM alert_mutes WHERE asset_id = $1 AND until_ms > $2",
        [mute.assetId, mute.fromMs],
      );
      requireRoomForMute(counted?.count ?? 0);
      await transaction.query(
        `INSERT INTO alert_mutes (id, project_id, asset_id, type, geofence_id, max_severity, from_ms,
           until_ms, note, created_by, created_by_name)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          mute.id,
          mute.projectId,
          mute.assetId,
          mute.type,
          mute.geofenceId ?? null,
          mute.maxSeverity,
          mute.fromMs,
          mute.untilMs,
          mute.note === undefined ? null : withoutNul(mute.note),
          mute.createdBy,
          mute.createdByName,
        ],
      );
    });
  }

  async find(id: AlertMuteId): Promise<AlertMute | undefined> {
    const [row] = await this.#database.query<StoredMute>(
      "SELECT * FROM alert_mutes WHERE id = $1",
      [id],
    );
    return row && toMute(row);
  }

  async list(filter: Parameters<AlertMuteRecords["list"]>[0]): Promise<{
    readonly mutes: readonly AlertMute[];
    readonly total: number;
  }> {
    const { projectIds, assetId, untilAfterMs, isReversed, limit, offset } = filter;
    const values = [projectIds ?? null, assetId ?? null, untilAfterMs ?? null];
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM alert_mutes WHERE ${MATCHES}`,
      values,
    );
    const rows = await this.#database.query<StoredMute>(
      `SELECT * FROM alert_mutes WHERE ${MATCHES}
       ${orderBy("from_ms DESC, id", isReversed)} LIMIT $4 OFFSET $5`,
      [...values, limit, offset],
    );
    return { mutes: rows.map(toMute), total: counted?.total ?? 0 };
  }

  async remove(id: AlertMuteId): Promise<void> {
    await this.#database.query("DELETE FROM alert_mutes WHERE id = $1", [id]);
  }

  expire(beforeMs: number): Promise<boolean> {
    return expireRows(
      this.#database,
      { table: "alert_mutes", old: "aged.until_ms < $1", order: "until_ms" },
      [beforeMs],
    );
  }
}

/** Severities as SQL that rises with how bad they are. */
const rank = (column: string): string =>
  `array_position(ARRAY[${ALERT_SEVERITIES.map((name) => `'${name}'`).join(", ")}], ${column})`;

/** What a mute acknowledged opens when it is another alert now, or a worse one. */
const REOPEN = `UPDATE alerts SET acknowledged_at_ms = NULL, acknowledged_by = NULL,
    acknowledged_name = NULL, note = NULL, mute_id = NULL, muted_type = NULL,
    muted_max_severity = NULL
  WHERE id = ANY ($1) AND mute_id IS NOT NULL
    AND (type <> muted_type OR ${rank("severity")} > ${rank("muted_max_severity")})`;

const MUTE = `UPDATE alerts SET acknowledged_at_ms = opened_at_ms, acknowledged_by = mute.created_by,
    acknowledged_name = mute.created_by_name, note = mute.note, mute_id = mute.id,
    muted_type = mute.type, muted_max_severity = mute.max_severity
  FROM alert_mutes AS mute
  WHERE alerts.id = ANY ($1) AND alerts.acknowledged_at_ms IS NULL
    AND mute.asset_id = alerts.asset_id AND mute.project_id = alerts.project_id
    AND mute.type = alerts.type
    AND (mute.geofence_id IS NULL OR mute.geofence_id = alerts.geofence_id)
    AND ${rank("alerts.severity")} <= ${rank("mute.max_severity")}
    AND alerts.opened_at_ms >= mute.from_ms AND alerts.opened_at_ms < mute.until_ms`;

/** Acknowledges those of the alerts that opened while their rule was muted, as who made the mute. */
export async function muteAlerts(
  transaction: Queryable,
  alerts: readonly { readonly id: AlertId }[],
): Promise<void> {
  if (alerts.length === 0) return;
  const ids = [alerts.map(({ id }) => id)];
  await transaction.query(REOPEN, ids);
  await transaction.query(MUTE, ids);
}

function toMute(row: StoredMute): AlertMute {
  return {
    id: row.id as AlertMuteId,
    projectId: row.project_id as ProjectId,
    assetId: row.asset_id as AssetId,
    type: row.type as AssetAlertType,
    geofenceId: (row.geofence_id ?? undefined) as GeofenceId | undefined,
    maxSeverity: row.max_severity as AlertSeverity,
    fromMs: row.from_ms,
    untilMs: row.until_ms,
    note: row.note ?? undefined,
    createdBy: row.created_by,
    createdByName: row.created_by_name,
  };
}
