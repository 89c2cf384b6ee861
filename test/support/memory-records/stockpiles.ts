import { DomainError } from "../../../domain/errors.ts";
import type { StockpileId } from "../../../domain/ids.ts";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import { materialKey, type Stockpile } from "../../../domain/sites/stockpile.ts";
import { listedStockpile, type StockpileRecords } from "../../../storage/ports/sites/stockpiles.ts";
import { appendEvents } from "./events.ts";
import {
  compareText as compare,
  type MemoryRows,
  pageOfRows,
  passes,
  removeWhere,
  throughJson,
} from "./rows.ts";

/** Stockpiles and their measurements in memory. */
export function createMemoryStockpiles(rows: MemoryRows, now: () => number): StockpileRecords {
  const { stockpiles, measurements } = rows;

  function live(id: StockpileId): Stockpile {
    const stockpile = stockpiles.get(id);
    if (stockpile === undefined) throw new DomainError("STOCKPILE_NOT_FOUND", id);
    return stockpile;
  }

  const of = (id: StockpileId): readonly StockpileMeasurement[] =>
    measurements.filter(({ stockpile_id }) => stockpile_id === id);

  return {
    async insert(stockpile) {
      if (!rows.projects.has(stockpile.project_id)) {
        throw new DomainError("PROJECT_NOT_FOUND", stockpile.project_id);
      }
      if (stockpiles.has(stockpile.id)) {
        throw new DomainError("ID_CONFLICT", `stockpile id "${stockpile.id}" is taken`);
      }
      stockpiles.set(stockpile.id, stockpile);
    },
    find: async (id) => stockpiles.get(id),
    async list({ projectIds, material, limit = Infinity, offset }) {
      const all = [...stockpiles.values()]
        .filter((stockpile) => stockpile !== undefined)
        .filter((stockpile) => passes(projectIds, stockpile.project_id))
        .filter(
          (stockpile) =>
            material === undefined || materialKey(stockpile.material) === materialKey(material),
        )
        .sort((a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id))
        .map(listedStockpile);
      return { stockpiles: all.slice(offset, offset + limit), total: all.length };
    },
    async update(id, change) {
      const stockpile = change(live(id));
      stockpiles.set(id, stockpile);
      return stockpile;
    },
    async delete(id) {
      live(id);
      stockpiles.set(id, undefined);
      removeWhere(measurements, ({ stockpile_id }) => stockpile_id === id);
    },
    async addMeasurement(id, jobId, measure) {
      const before = live(id);
      const known = of(id).find(({ job_id }) => job_id === jobId);
      if (known !== undefined) return known;
      const { stockpile, measurement, events } = measure(before);
      stockpiles.set(id, stockpile);
      const stored = throughJson(measurement);
      measurements.push(stored);
      appendEvents(rows, events, now());
      return stored;
    },
    findMeasurement: async (id, measurementId) =>
      of(id).find((measurement) => measurement.id === measurementId),
    async measurements(id, page) {
      const all = [...of(id)].sort(
        (a, b) =>
          compare(b.measured_at, a.measured_at) ||
          compare(b.recorded_at, a.recorded_at) ||
          compare(a.id, b.id),
      );
      return { measurements: pageOfRows(all, page), total: all.length };
    },
  };
}
