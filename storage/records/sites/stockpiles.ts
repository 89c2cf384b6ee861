import { DomainError } from "../../../domain/errors.ts";
import type { JobId, MeasurementId, ProjectId, StockpileId } from "../../../domain/ids.ts";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import { materialKey, type Stockpile } from "../../../domain/sites/stockpile.ts";
import type {
  ListedStockpile,
  MeasuredStockpile,
  StockpileRecords,
} from "../../ports/sites/stockpiles.ts";
import { insertEvents } from "../events/event-writes.ts";
import type { Database, Queryable } from "../sql/database.ts";
import { orderBy } from "../sql/list-order.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import {
  measurementValues,
  STOCKPILE_COLUMNS,
  type StoredStockpile,
  stockpileValues,
  toListed,
  toStockpile,
} from "./stockpile-rows.ts";

type StoredBody = { readonly body: StockpileMeasurement };
type WholeStockpile = StoredStockpile & { readonly datum: unknown };

/** A filter that is not given is null, and then lets everything pass. */
const MATCHES = `NOT deleted AND ($1::text[] IS NULL OR live_project_id = ANY ($1))
  AND ($2::text IS NULL OR material_key = $2)`;

/** Stockpiles, their tombstones and their measurements in SQL. */
export class SqlStockpileRecords implements StockpileRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(stockpile: Stockpile): Promise<void> {
    await explainViolations(
      this.#database.query(
        `INSERT INTO stockpiles (${STOCKPILE_COLUMNS}, datum, material_key)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
           $19, $20)`,
        stockpileValues(stockpile),
      ),
      {
        unique: ["ID_CONFLICT", `stockpile id "${stockpile.id}" is taken`],
        foreignKey: ["PROJECT_NOT_FOUND", `no project "${stockpile.project_id}"`],
      },
    );
  }

  async find(id: StockpileId): Promise<Stockpile | undefined> {
    const [row] = await this.#database.query<WholeStockpile>(
      `SELECT ${STOCKPILE_COLUMNS}, datum FROM stockpiles WHERE id = $1 AND NOT deleted`,
      [id],
    );
    return row && toStockpile(row);
  }

  async list({
    projectIds,
    material,
    limit,
    offset,
  }: {
    readonly projectIds?: readonly ProjectId[];
    readonly material?: string;
    readonly limit?: number;
    readonly offset: number;
  }): Promise<{ readonly stockpiles: readonly ListedStockpile[]; readonly total: number }> {
    const filter = [
      projectIds ?? null,
      material === undefined ? null : materialKey(material),
    ] as const;
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM stockpiles WHERE ${MATCHES}`,
      filter,
    );
    const rows = await this.#database.query<StoredStockpile & { readonly has_datum: boolean }>(
      `SELECT ${STOCKPILE_COLUMNS}, datum IS NOT NULL AS has_datum FROM stockpiles WHERE ${MATCHES}
       ORDER BY created_at_ms, id LIMIT $3 OFFSET $4`,
      [...filter, limit ?? null, offset],
    );
    return { stockpiles: rows.map(toListed), total: counted?.total ?? 0 };
  }

  update(id: StockpileId, change: (before: Stockpile) => Stockpile): Promise<Stockpile> {
    return this.#database.transaction(async (transaction) => {
      const stockpile = change(await lockStockpile(transaction, id));
      await replaceStockpile(transaction, stockpile);
      return stockpile;
    });
  }

  delete(id: StockpileId): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      await lockStockpile(transaction, id);
      await transaction.query("DELETE FROM stockpile_measurements WHERE stockpile_id = $1", [id]);
      await transaction.query(
        "UPDATE stockpiles SET deleted = true, footprint = NULL, datum = NULL WHERE id = $1",
        [id],
      );
    });
  }

  addMeasurement(
    id: StockpileId,
    jobId: JobId,
    measure: (before: Stockpile) => MeasuredStockpile,
  ): Promise<StockpileMeasurement> {
    return this.#database.transaction(async (transaction) => {
      // The row's lock lets measurements and edits of one stockpile through one at a time.
      const before = await lockStockpile(transaction, id);
      const [known] = await transaction.query<StoredBody>(
        "SELECT body FROM stockpile_measurements WHERE job_id = $1 AND stockpile_id = $2",
        [jobId, id],
      );
      if (known !== undefined) return known.body;
      const { stockpile, measurement, events } = measure(before);
      await replaceStockpile(transaction, stockpile);
      const [added] = await transaction.query<StoredBody>(
        `INSERT INTO stockpile_measurements
           (id, stockpile_id, job_id, measured_at_ms, recorded_at_ms, body)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING body`,
        measurementValues(measurement),
      );
      await insertEvents(transaction, events);
      return added?.body ?? measurement;
    });
  }

  async findMeasurement(
    id: StockpileId,
    measurementId: MeasurementId,
  ): Promise<StockpileMeasurement | undefined> {
    const [row] = await this.#database.query<StoredBody>(
      "SELECT body FROM stockpile_measurements WHERE stockpile_id = $1 AND id = $2",
      [id, measurementId],
    );
    return row?.body;
  }

  async measurements(
    id: StockpileId,
    {
      isReversed,
      limit,
      offset,
    }: { readonly isReversed?: boolean; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly measurements: readonly StockpileMeasurement[]; readonly total: number }> {
    const [counted] = await this.#database.query<{ total: number }>(
      "SELECT count(*) AS total FROM stockpile_measurements WHERE stockpile_id = $1",
      [id],
    );
    const rows = await this.#database.query<StoredBody>(
      `SELECT body FROM stockpile_measurements WHERE stockpile_id = $1
       ${orderBy("measured_at_ms DESC, recorded_at_ms DESC, id", isReversed)} LIMIT $2 OFFSET $3`,
      [id, limit, offset],
    );
    return { measurements: rows.map(({ body }) => body), total: counted?.total ?? 0 };
  }
}

/** The stockpile, which nobody else changes until the transaction ends. */
async function lockStockpile(transaction: Queryable, id: StockpileId): Promise<Stockpile> {
  const [row] = await transaction.query<WholeStockpile>(
    `SELECT ${STOCKPILE_COLUMNS}, datum FROM stockpiles WHERE id = $1 AND NOT deleted FOR UPDATE`,
    [id],
  );
  if (row === undefined) throw new DomainError("STOCKPILE_NOT_FOUND", `no stockpile "${id}"`);
  return toStockpile(row);
}

async function replaceStockpile(transaction: Queryable, stockpile: Stockpile): Promise<void> {
  await transaction.query(
    `UPDATE stockpiles SET (project_id, material, location, max_capacity_m3, density_t_per_m3,
       thresholds, footprint, footprint_state, base, geofence_id, current_volume_m3,
       current_sigma_m3, volume_basis, measurement_id, last_measured_ms, created_at_ms,
       updated_at_ms, datum, material_key) =
       ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
     WHERE id = $1`,
    stockpileValues(stockpile),
  );
}
