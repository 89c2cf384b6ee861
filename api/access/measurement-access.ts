import type { FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import { isId, type MeasurementId, type StockpileId } from "../../domain/ids.ts";
import type { StockpileMeasurement } from "../../domain/sites/measurement.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import type { StockpileRecords } from "../../storage/ports/sites/stockpiles.ts";
import { visibleStockpile } from "./stockpile-access.ts";

/** A measurement and the stockpile that it is of. */
export interface MeasurementOf {
  readonly stockpile: Stockpile;
  readonly measurement: StockpileMeasurement;
}

/**
 * A measurement of a stockpile that the key may see.
 * @throws DomainError `STOCKPILE_NOT_FOUND`, `MEASUREMENT_NOT_FOUND`.
 */
export async function visibleMeasurement(
  stockpiles: StockpileRecords,
  request: FastifyRequest,
  path: { readonly stockpile_id: StockpileId; readonly measurement_id: MeasurementId },
): Promise<MeasurementOf> {
  const stockpile = await visibleStockpile(stockpiles, request, path.stockpile_id);
  const { measurement_id: id } = path;
  const measurement = isId(id) ? await stockpiles.findMeasurement(stockpile.id, id) : undefined;
  if (measurement === undefined) {
    throw new DomainError("MEASUREMENT_NOT_FOUND", `no measurement ${id}`);
  }
  return { stockpile, measurement };
}
