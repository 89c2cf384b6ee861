import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { Changes } from "../../ports/equipment/changes.ts";
import type {
  HeldPlan,
  MaintenanceRecords,
  PlanScope,
  PlanVersion,
  ServiceRow,
} from "../../ports/equipment/maintenance.ts";
import type { Database, SqlValue } from "../sql/database.ts";
import { orderBy } from "../sql/list-order.ts";
import { changeWithRevisions } from "../sql/revisions.ts";

type StoredPlan = {
  readonly asset_id: string | null;
  readonly project_id: string | null;
  readonly asset_type: string | null;
  readonly plan: string | null;
  readonly valid_from_ms: number;
  readonly valid_to_ms: number | null;
  readonly revision: number;
};

type StoredService = {
  readonly id: string;
  readonly asset_id: string;
  readonly project_id: string;
  readonly item: string;
  readonly serviced_at_ms: number;
  readonly recorded_at_ms: number;
  readonly engine_hours: number | null;
  readonly hours_source: ServiceRow["hoursSource"] | null;
  readonly odometer_km: number | null;
  readonly note: string | null;
  readonly revision: number;
};

/** Maintenance plans with all their versions, and recorded services, in SQL. */
export class SqlMaintenanceRecords implements MaintenanceRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  putPlan(
    scope: PlanScope,
    plan: string | undefined,
    atMs: number,
    check?: (before: HeldPlan | undefined) => void,
  ): Promise<void> {
    return changeWithRevisions(
      this.#database,
      "maintenance_revision",
      async (transaction, nextRevision) => {
        const columns = scopeColumns(scope);
        const [before] = await transaction.query<
          Pick<StoredPlan, "plan" | "valid_from_ms"> & { readonly scope: string }
        >(
          `SELECT plan, valid_from_ms, scope FROM maintenance_plans
           WHERE valid_to_ms IS NULL AND asset_id IS NOT DISTINCT FROM $1
             AND project_id IS NOT DISTINCT FROM $2 AND asset_type IS NOT DISTINCT FROM $3`,
          columns,
        );
        const held = before?.plan ?? undefined;
        check?.(
          before && held !== undefined
            ? { plan: held, validFromMs: before.valid_from_ms }
            : undefined,
        );
        if (held === plan) return;
        let fromMs = atMs;
        if (before !== undefined) {
          const [ended] = await transaction.query<{ valid_to_ms: number }>(
            `UPDATE maintenance_plans
             SET valid_to_ms = greatest(valid_from_ms + 1, $2), revision = $3
             WHERE scope = $1 AND valid_to_ms IS NULL RETURNING valid_to_ms`,
            [before.scope, atMs, nextRevision()],
          );
          fromMs = ended?.valid_to_ms ?? atMs;
        }
        await transaction.query(
          `INSERT INTO maintenance_plans
             (asset_id, project_id, asset_type, plan, valid_from_ms, revision)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          [...columns, plan ?? null, fromMs, nextRevision()],
        );
      },
    );
  }

  async plansSince(revision: number): Promise<Changes<PlanVersion>> {
    const rows = await this.#database.query<StoredPlan>(
      `SELECT asset_id, project_id, asset_type, plan, valid_from_ms, valid_to_ms, revision
       FROM maintenance_plans WHERE revision > $1 ORDER BY revision`,
      [revision],
    );
    return { revision: rows.at(-1)?.revision ?? revision, rows: rows.map(toPlanVersion) };
  }

  recordService(service: Omit<ServiceRow, "revision">): Promise<ServiceRow> {
    return changeWithRevisions(
      this.#database,
      "maintenance_revision",
      async (transaction, nextRevision) => {
        const row = { ...service, revision: nextRevision() };
        await transaction.query(
          `INSERT INTO maintenance_services
             (id, asset_id, project_id, item, serviced_at_ms, recorded_at_ms, engine_hours,
              hours_source, odometer_km, note, revision)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
          serviceValues(row),
        );
        return row;
      },
    );
  }

  async services(
    assetId: AssetId,
    {
      item,
      isReversed,
      limit,
      offset,
    }: {
      readonly item?: string;
      readonly isReversed?: boolean;
      readonly limit: number;
      readonly offset: number;
    },
  ): Promise<{ readonly services: readonly ServiceRow[]; readonly total: number }> {
    const matches = "asset_id = $1 AND ($2::text IS NULL OR item = $2)";
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM maintenance_services WHERE ${matches}`,
      [assetId, item ?? null],
    );
    const rows = await this.#database.query<StoredService>(
      `SELECT * FROM maintenance_services WHERE ${matches}
       ${orderBy("serviced_at_ms DESC, revision DESC", isReversed)} LIMIT $3 OFFSET $4`,
      [assetId, item ?? null, limit, offset],
    );
    return { services: rows.map(toService), total: counted?.total ?? 0 };
  }

  async servicesSince(revision: number): Promise<Changes<ServiceRow>> {
    const rows = await this.#database.query<StoredService>(
      "SELECT * FROM maintenance_services WHERE revision > $1 ORDER BY revision",
      [revision],
    );
    return { revision: rows.at(-1)?.revision ?? revision, rows: rows.map(toService) };
  }

  async distanceM(assetId: AssetId): Promise<number> {
    const [row] = await this.#database.query<{ sum: number | null }>(
      "SELECT sum(distance_m) AS sum FROM utilization_days WHERE asset_id = $1",
      [assetId],
    );
    return row?.sum ?? 0;
  }
}

/** `asset_id`, `project_id`, `asset_type`. */
function scopeColumns(scope: PlanScope): readonly SqlValue[] & readonly (string | null)[] {
  if ("assetId" in scope) return [scope.assetId, null, null];
  return [null, scope.projectId, scope.assetType];
}

function scopeOf({ asset_id, project_id, asset_type }: StoredPlan): PlanScope {
  if (asset_id !== null) return { assetId: asset_id as AssetId };
  return { projectId: project_id as ProjectId, assetType: asset_type ?? "" };
}

function toPlanVersion(row: StoredPlan): PlanVersion {
  return {
    scope: scopeOf(row),
    plan: row.plan ?? undefined,
    validFromMs: row.valid_from_ms,
    validToMs: row.valid_to_ms ?? undefined,
    revision: row.revision,
  };
}

function serviceValues(row: ServiceRow): readonly SqlValue[] {
  return [
    row.id,
    row.assetId,
    row.projectId,
    row.item,
    row.servicedAtMs,
    row.recordedAtMs,
    row.engineHours ?? null,
    row.hoursSource ?? null,
    row.odometerKm ?? null,
    row.note ?? null,
    row.revision,
  ];
}

function toService(row: StoredService): ServiceRow {
  return {
    id: row.id,
    assetId: row.asset_id as AssetId,
    projectId: row.project_id as ProjectId,
    item: row.item,
    servicedAtMs: row.serviced_at_ms,
    recordedAtMs: row.recorded_at_ms,
    engineHours: row.engine_hours ?? undefined,
    hoursSource: row.hours_source ?? undefined,
    odometerKm: row.odometer_km ?? undefined,
    note: row.note ?? undefined,
    revision: row.revision,
  };
}
