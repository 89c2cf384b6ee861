import type { Stockpile } from "../../domain/sites/stockpile.ts";
import type { StockpileRecords } from "../../storage/ports/sites/stockpiles.ts";
import type { MeasurementHistory } from "./measured-stockpile.ts";

/**
 * Measurements that are read at once to find the place of a new one among them. More reads rows that are not
 * needed, fewer reads more often where many are newer.
 */
const PAGE = 50;

/** The measurements beside one that was measured at `atMs` (ms since the Unix epoch). */
export async function measurementHistory(
  records: StockpileRecords,
  { id, volume_basis: basis, measurement_id: currentId }: Stockpile,
  atMs: number,
): Promise<MeasurementHistory> {
  const current =
    basis === "measured" && currentId !== undefined
      ? await records.findMeasurement(id, currentId)
      : undefined;
  let later: MeasurementHistory["later"];
  for (let offset = 0; ; offset += PAGE) {
    const { measurements } = await records.measurements(id, { limit: PAGE, offset });
    for (const measurement of measurements) {
      if (Date.parse(measurement.measured_at) <= atMs) {
        return { current, earlier: measurement, later };
      }
      later = measurement;
    }
    if (measurements.length < PAGE) return { current, earlier: undefined, later };
  }
}
