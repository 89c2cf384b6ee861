import type { ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import type { ZoneObservation } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { WorkZoneRecords } from "../../ports/sites/work-zones.ts";
import type { Database } from "../sql/database.ts";
import { orderBy } from "../sql/list-order.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { msOf } from "../sql/times.ts";
import {
  insertObservations,
  OBSERVATION_COLUMNS,
  type StoredObservation,
  toObservation,
} from "./zone-observations.ts";
import { lockZones, replaceZone, type StoredZone, zoneNotFound } from "./zone-rows.ts";

/** A filter that is not given is null, and then lets everything pass. */
const MATCHES = "NOT deleted AND ($1::text[] IS NULL OR live_project_id = ANY ($1))";

/** Work zones, their tombstones and what people said of them in SQL. */
export class SqlWorkZoneRecords implements WorkZoneRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(zone: WorkZone): Promise<void> {
    await explainViolations(
      this.#database.query(
        "INSERT INTO work_zones (id, project_id, created_at_ms, body) VALUES ($1, $2, $3, $4)",
        [zone.id, zone.project_id, msOf(zone.created_at), JSON.stringify(zone)],
      ),
      {
        unique: ["ID_CONFLICT", `zone id "${zone.id}" is taken`],
        foreignKey: ["PROJECT_NOT_FOUND", `no project "${zone.project_id}"`],
      },
    );
  }

  async find(id: WorkZoneId): Promise<WorkZone | undefined> {
    const [row] = await this.#database.query<StoredZone>(
      "SELECT body FROM work_zones WHERE id = $1 AND NOT deleted",
      [id],
    );
    return row?.body;
  }

  async list({
    projectIds,
    isReversed,
    limit,
    offset,
  }: {
    readonly projectIds?: readonly ProjectId[];
    readonly isReversed?: boolean;
    readonly limit?: number;
    readonly offset: number;
  }): Promise<{ readonly zones: readonly WorkZone[]; readonly total: number }> {
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM work_zones WHERE ${MATCHES}`,
      [projectIds ?? null],
    );
    const rows = await this.#database.query<StoredZone>(
      `SELECT body FROM work_zones WHERE ${MATCHES}
       ${orderBy("created_at_ms, id", isReversed)} LIMIT $2 OFFSET $3`,
      [projectIds ?? null, limit ?? null, offset],
    );
    return { zones: rows.map(({ body }) => body), total: counted?.total ?? 0 };
  }

  update(id: WorkZoneId, change: (before: WorkZone) => WorkZone): Promise<WorkZone> {
    return this.#database.transaction(async (transaction) => {
      const [before] = await lockZones(transaction, [id]);
      if (before === undefined) throw zoneNotFound(id);
      const zone = change(before);
      await replaceZone(transaction, zone);
      return zone;
    });
  }

  delete(id: WorkZoneId): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      const [zone] = await lockZones(transaction, [id]);
      if (zone === undefined) throw zoneNotFound(id);
      for (const table of ["zone_observations", "zone_labels", "zone_views", "zone_estimates"]) {
        await transaction.query(`DELETE FROM ${table} WHERE zone_id = $1`, [id]);
      }
      await transaction.query("UPDATE work_zones SET deleted = true, body = NULL WHERE id = $1", [
        id,
      ]);
    });
  }

  addObservation(observation: ZoneObservation): Promise<void> {
    return this.#database.transaction((transaction) =>
      insertObservations(transaction, [observation]),
    );
  }

  async observations(
    ids: readonly WorkZoneId[],
    untilMs: number,
  ): Promise<readonly ZoneObservation[]> {
    const rows = await this.#database.query<StoredObservation>(
      `SELECT ${OBSERVATION_COLUMNS} FROM zone_observations
       WHERE zone_id = ANY ($1) AND observed_at_ms <= $2
       ORDER BY observed_at_ms, recorded_at_ms, id`,
      [ids, untilMs],
    );
    return rows.map(toObservation);
  }
}
