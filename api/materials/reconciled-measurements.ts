import type { MeasurementId } from "../../domain/ids.ts";
import type { StockpileMeasurement } from "../../domain/measurement.ts";
import type { Stockpile } from "../../domain/stockpile.ts";
import type { StockpileRecords } from "../../storage/ports/stockpiles.ts";
import { invalidParameter } from "../plugins/validation.ts";

/** Measurements that are read at once while the one before another is looked for. Chosen. */
const PAGE = 50;

/** Two measurements of one stockpile. */
export interface MeasurementPair {
  readonly from: StockpileMeasurement;
  readonly to: StockpileMeasurement;
}

/**
 * The measurements that were asked for: without `to` the latest, without `from` the one before `to`.
 * @throws ParameterError naming what names none, or comes in the wrong order, or is missing.
 */
export async function readMeasurementPair(
  stockpiles: StockpileRecords,
  { id }: Pick<Stockpile, "id">,
  asked: {
    readonly from_measurement?: MeasurementId | undefined;
    readonly to_measurement?: MeasurementId | undefined;
  },
): Promise<MeasurementPair> {
  async function find(name: keyof typeof asked): Promise<StockpileMeasurement | undefined> {
    const measurementId = asked[name];
    if (measurementId === undefined) return undefined;
    const found = await stockpiles.findMeasurement(id, measurementId);
    if (found === undefined) throw invalidParameter(name, "names no measurement of this stockpile");
    return found;
  }

  const [askedFrom, askedTo] = [await find("from_measurement"), await find("to_measurement")];
  const latest = await stockpiles.measurements(id, { limit: 1, offset: 0 });
  const to = askedTo ?? latest.measurements[0];
  const from = askedFrom ?? (to && (await measurementBefore(stockpiles, to)));
  if (to === undefined || from === undefined) {
    const { total } = latest;
    throw total < 2
      ? invalidParameter(
          "to_measurement",
          `needs two measurements, and this stockpile has ${total}`,
        )
      : invalidParameter("to_measurement", "names the stockpile's first measurement");
  }
  if (Date.parse(from.measured_at) >= Date.parse(to.measured_at)) {
    throw invalidParameter("from_measurement", "must be of an earlier time than to_measurement");
  }
  return { from, to };
}

/** The newest measurement that was measured before this one. */
async function measurementBefore(
  stockpiles: StockpileRecords,
  { stockpile_id, measured_at }: StockpileMeasurement,
): Promise<StockpileMeasurement | undefined> {
  for (let offset = 0; ; offset += PAGE) {
    const { measurements } = await stockpiles.measurements(stockpile_id, { limit: PAGE, offset });
    const before = measurements.find(
      (one) => Date.parse(one.measured_at) < Date.parse(measured_at),
    );
    if (before !== undefined || measurements.length < PAGE) return before;
  }
}
