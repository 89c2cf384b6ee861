import type { Series } from "../../ports/telemetry-store.ts";

/** Both series as one; where both have a value for one time and field, `over`'s is kept. */
export function mergeSeries(under: Series, over: Series): Series {
  if (over.timesMs.length === 0) return under;
  if (under.timesMs.length === 0) return over;
  const timesMs = mergeTimes(under.timesMs, over.timesMs);
  const columns = new Map<string, Float64Array>();
  for (const series of [under, over]) {
    const rows = rowsOf(series.timesMs, timesMs);
    for (const [name, values] of series.columns) {
      const column = columns.get(name) ?? new Float64Array(timesMs.length).fill(Number.NaN);
      columns.set(name, column);
      for (const [i, value] of values.entries()) {
        if (!Number.isNaN(value)) column[rows[i] ?? 0] = value;
      }
    }
  }
  return { timesMs, columns };
}

/** Two rising lists as one, each time once. */
function mergeTimes(a: Float64Array, b: Float64Array): Float64Array {
  const merged = new Float64Array(a.length + b.length);
  let count = 0;
  for (let i = 0, k = 0; i < a.length || k < b.length; ) {
    const left = a[i] ?? Number.POSITIVE_INFINITY;
    const right = b[k] ?? Number.POSITIVE_INFINITY;
    merged[count++] = Math.min(left, right);
    if (left <= right) i += 1;
    if (right <= left) k += 1;
  }
  return merged.slice(0, count);
}

/** Where each of the rising times lies among the merged ones. */
function rowsOf(times: Float64Array, merged: Float64Array): Uint32Array {
  const rows = new Uint32Array(times.length);
  let row = 0;
  for (const [i, time] of times.entries()) {
    while (merged[row] !== time) row += 1;
    rows[i] = row;
  }
  return rows;
}
