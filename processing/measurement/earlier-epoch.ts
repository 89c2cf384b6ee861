import { buffer } from "node:stream/consumers";
import type { StockpileMeasurement } from "../../domain/sites/measurement.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { StockpileRecords } from "../../storage/ports/sites/stockpiles.ts";
import { type EpochHead, readEpochHead } from "../epoch/epoch-file.ts";
import type { StockpileDatum } from "./surface/datum.ts";

/** The epoch that a new one is brought onto. */
export interface EarlierEpoch {
  readonly head: EpochHead;
  /** The whole file. */
  readonly bytes: Uint8Array;
}

/**
 * Measurements that are tried for one whose epoch can be read. More reads on through files that are gone, fewer
 * gives up the comparison sooner.
 */
const MOST_TRIES = 10;

/**
 * The epoch of the stockpile's own measurement, else of the latest one in its datum; `undefined` without
 * any.
 */
export async function findEarlierEpoch(
  records: StockpileRecords,
  files: FileStore,
  stockpile: Stockpile,
): Promise<EarlierEpoch | undefined> {
  const datum = stockpile.datum as StockpileDatum | undefined;
  if (datum === undefined) return undefined;
  const { measurements } = await records.measurements(stockpile.id, {
    limit: MOST_TRIES,
    offset: 0,
  });
  const isCurrent = ({ id }: StockpileMeasurement) => id === stockpile.measurement_id;
  const candidates = [...measurements.filter(isCurrent), ...measurements];
  for (const { files: keys } of candidates) {
    const opened = await files.get(keys.epoch);
    if (opened === undefined) continue;
    const bytes = await buffer(opened.body);
    const head = readEpochHead(bytes);
    if (head?.datum === datum.id) return { head, bytes };
  }
  return undefined;
}
