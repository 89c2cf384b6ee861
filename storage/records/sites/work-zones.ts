import type { WorkZoneId } from "../../../domain/ids.ts";
import type { ZoneObservation } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { WorkZoneRecords } from "../../ports/sites/work-zones.ts";
import type { Database } from "../sql/database.ts";
import { type BodyFilter, workZones } from "./body-table.ts";
import {
  insertObservations,
  OBSERVATION_COLUMNS,
  type StoredObservation,
  toObservation,
} from "./zone-observations.ts";

/** Work zones, their tombstones and what people said of them in SQL. */
export class SqlWorkZoneRecords implements WorkZoneRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(zone: WorkZone): Promise<void> {
    return workZones.insert(this.#database, zone);
  }

  find(id: WorkZoneId): Promise<WorkZone | undefined> {
    return workZones.find(this.#database, id);
  }

  async list(
    filter: BodyFilter,
  ): Promise<{ readonly zones: readonly WorkZone[]; readonly total: number }> {
    const { bodies, total } = await workZones.list(this.#database, filter);
    return { zones: bodies, total };
  }

  update(id: WorkZoneId, change: (before: WorkZone) => WorkZone): Promise<WorkZone> {
    return workZones.update(this.#database, id, change);
  }

  delete(id: WorkZoneId): Promise<void> {
    return workZones.delete(this.#database, id, async (transaction) => {
      for (const table of ["zone_observations", "zone_labels", "zone_views", "zone_estimates"]) {
        await transaction.query(`DELETE FROM ${table} WHERE zone_id = $1`, [id]);
      }
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
