import {
  aggregateBuckets,
  type Buckets,
  largestTriangleThreeBuckets,
} from "../../../domain/equipment/downsample.ts";
import type { Series } from "../../../storage/ports/telemetry-store.ts";

/** One row of a series: a time and the fields that have a value there. */
export interface SeriesRow {
  /** ms since the Unix epoch; of a bucket: its start. */
  readonly timeMs: number;
  readonly values: Readonly<Record<string, number>>;
}

export const AGGREGATES = ["mean", "min", "max", "last", "count"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

const COLUMN: Record<Aggregate, (buckets: Buckets) => ArrayLike<number>> = {
  mean: (buckets) => buckets.means,
  min: (buckets) => buckets.mins,
  max: (buckets) => buckets.maxs,
  last: (buckets) => buckets.lasts,
  count: (buckets) => buckets.counts,
};

/** Every row with its values; rows without any are left out. */
export function* rowsOf(series: Series): Generator<SeriesRow> {
  for (const [row, timeMs] of series.timesMs.entries()) {
    const values = noValues();
    let empty = true;
    for (const [name, column] of series.columns) {
      const value = column[row];
      if (value === undefined || Number.isNaN(value)) continue;
      values[name] = value;
      empty = false;
    }
    if (!empty) yield { timeMs, values };
  }
}

/**
 * One row per `intervalMs`, on multiples of it since the Unix epoch. A row without a value of a field
 * does not carry the field, and an interval without any reading has no row: gaps stay visible.
 */
export function aggregated(series: Series, intervalMs: number, aggregate: Aggregate): Series {
  const columns = new Map<string, Float64Array>();
  let timesMs: Float64Array = new Float64Array(0);
  for (const [name, values] of series.columns) {
    const buckets = aggregateBuckets(series.timesMs, values, intervalMs);
    timesMs = buckets.startsMs;
    columns.set(name, Float64Array.from(COLUMN[aggregate](buckets)));
  }
  return { timesMs, columns };
}

/**
 * At most `maxRows` rows: those that keep the shape of each column, an equal share for each.
 * `maxRows` is at least two per column.
 */
export function thinned(series: Series, maxRows: number): Series {
  if (series.timesMs.length <= maxRows) return series;
  const share = Math.floor(maxRows / series.columns.size);
  const kept = new Set<number>();
  for (const column of series.columns.values()) {
    for (const row of largestTriangleThreeBuckets(series.timesMs, column, share)) kept.add(row);
  }
  const rows = Uint32Array.from(kept).sort();
  const pick = (column: Float64Array) =>
    Float64Array.from(rows, (row) => column[row] ?? Number.NaN);
  const columns = [...series.columns].map(([name, column]) => [name, pick(column)] as const);
  return { timesMs: pick(series.timesMs), columns: new Map(columns) };
}

/** Without a prototype: a device may call a field `constructor`. */
function noValues(): Record<string, number> {
  return Object.create(null);
}
