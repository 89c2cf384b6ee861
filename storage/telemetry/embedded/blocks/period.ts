import { WEEK_MS } from "../../../../domain/time.ts";

/**
 * Length of a period of fix time, ms: 7 days. Retention deletes whole periods: longer ones keep old rows
 * longer, shorter ones are more files.
 */
export const PERIOD_MS = WEEK_MS;

/**
 * Rows of a period are ordered by asset and fix time in one number: `asset x 2^30 + fix time since
 * the start of the period`. 7 days are 0.56 x 2^30 ms.
 */
const ASSET_STEP = 2 ** 30;
/** So that every key is an integer below 2^53. */
export const MAX_ASSETS = 2 ** 23;

export const periodStart = (timeMs: number): number => Math.floor(timeMs / PERIOD_MS) * PERIOD_MS;

/** Key of an asset at `relativeMs` after the start of the period. */
export const rowKey = (asset: number, relativeMs: number): number =>
  asset * ASSET_STEP + relativeMs;
export const assetOfKey = (key: number): number => Math.floor(key / ASSET_STEP);
export const relativeMsOfKey = (key: number): number => key % ASSET_STEP;
