import type { MeasurementId, StockpileId } from "../../../domain/ids.ts";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import type { Stockpile } from "../../../domain/sites/stockpile.ts";
import type { StockpileRecords } from "../../../storage/ports/sites/stockpiles.ts";
import { invalidParameter } from "../../validation/validation.ts";

/** Measurements that are read at once: more is memory for those that are not needed, fewer is more queries. */
const PAGE = 50;

/** Two measurements of one stockpile. */
export interface MeasurementPair {
  readonly from: StockpileMeasurement;
  readonly to: StockpileMeasurement;
}

/**
 * The measurements that were asked for: without `to` the latest, without `from` the one before `to`.
 * @throws ParameterError naming what names none, comes in the wrong order, is missing, or
 * cannot be compared.
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
  if (!(await isOneSeries(stockpiles, { from, to }))) {
    throw invalidParameter(
      "from_measurement",
      "is of another footprint or base than to_measurement: their volumes are not compared",
    );
  }
  return { from, to };
}

/** The newest measurement that was measured before this one. */
async function measurementBefore(
  stockpiles: StockpileRecords,
  { stockpile_id, measured_at }: StockpileMeasurement,
): Promise<StockpileMeasurement | undefined> {
  for await (const one of newestFirst(stockpiles, stockpile_id)) {
    if (Date.parse(one.measured_at) < Date.parse(measured_at)) return one;
  }
  return undefined;
}

/** Whether no measurement after `from`, up to `to`, made a new frame. */
async function isOneSeries(
  stockpiles: StockpileRecords,
  { from, to }: MeasurementPair,
): Promise<boolean> {
  for await (const one of newestFirst(stockpiles, to.stockpile_id)) {
    const atMs = Date.parse(one.measured_at);
    if (atMs <= Date.parse(from.measured_at)) break;
    if (atMs <= Date.parse(to.measured_at) && one.alignment === "first") return false;
  }
  return true;
}

async function* newestFirst(
  stockpiles: StockpileRecords,
  id: StockpileId,
): AsyncGenerator<StockpileMeasurement> {
  for (let offset = 0; ; offset += PAGE) {
    const { measurements } = await stockpiles.measurements(id, { limit: PAGE, offset });
    yield* measurements;
    if (measurements.length < PAGE) return;
  }
}
