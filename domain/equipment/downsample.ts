/**
 * Indices of the rows that keep the shape of a line, by largest-triangle-three-buckets
 * (S. Steinarsson, "Downsampling Time Series for Visual Representation", 2013, section 4.2). The
 * first and the last row are always kept; rows without value (`NaN`) are never chosen.
 * `times` rise strictly; both arrays have the same length; the order of the result is theirs.
 * With no more than `maxRows` values all of them are returned. O(n).
 * @throws RangeError when `maxRows` is below 2.
 */
export function largestTriangleThreeBuckets(
  times: Float64Array,
  values: Float64Array,
  maxRows: number,
): Uint32Array {
  if (!(maxRows >= 2)) throw new RangeError(`cannot keep the shape of a line in ${maxRows} rows`);
  const rows = presentRows(values);
  if (rows.length <= maxRows) return rows;
  const kept = new Uint32Array(maxRows);
  const timeAt = (i: number): number => times[rows[i] as number] as number;
  const valueAt = (i: number): number => values[rows[i] as number] as number;
  const bucketSize = (rows.length - 2) / (maxRows - 2);
  const bucketStart = (bucket: number): number =>
    Math.min(Math.floor(bucket * bucketSize) + 1, rows.length - 1);
  let previous = 0;
  kept[0] = rows[0] as number;
  for (let bucket = 0; bucket < maxRows - 2; bucket++) {
    const end = bucketStart(bucket + 1);
    const next = centroid(timeAt, valueAt, end, Math.max(end + 1, bucketStart(bucket + 2)));
    let largest = -1;
    let chosen = end - 1;
    for (let i = bucketStart(bucket); i < end; i++) {
      const area = Math.abs(
        (timeAt(previous) - next.time) * (valueAt(i) - valueAt(previous)) -
          (timeAt(previous) - timeAt(i)) * (next.value - valueAt(previous)),
      );
      if (area > largest) {
        largest = area;
        chosen = i;
      }
    }
    kept[bucket + 1] = rows[chosen] as number;
    previous = chosen;
  }
  kept[maxRows - 1] = rows[rows.length - 1] as number;
  return kept;
}

function presentRows(values: Float64Array): Uint32Array {
  let count = 0;
  const rows = new Uint32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    if (!Number.isNaN(values[row])) rows[count++] = row;
  }
  return rows.slice(0, count);
}

function centroid(
  timeAt: (i: number) => number,
  valueAt: (i: number) => number,
  start: number,
  end: number,
): { readonly time: number; readonly value: number } {
  let time = 0;
  let value = 0;
  for (let i = start; i < end; i++) {
    time += timeAt(i);
    value += valueAt(i);
  }
  return { time: time / (end - start), value: value / (end - start) };
}

/** Values of equal spans of time; one element per span that has a row, ascending. */
export interface Buckets {
  /** Start of each span, a multiple of the span from the epoch, ms. */
  readonly startsMs: Float64Array;
  /** Values in the span; 0 where its rows do not carry the field, and then the others are `NaN`. */
  readonly counts: Uint32Array;
  readonly means: Float64Array;
  readonly mins: Float64Array;
  readonly maxs: Float64Array;
  /** The newest value of the span. */
  readonly lasts: Float64Array;
}

/**
 * Sums up a column over spans `[k x spanMs, (k + 1) x spanMs)`. Rows without value (`NaN`) are not
 * counted; spans without any row are left out. `timesMs` are ascending, of the length of `values`.
 * @throws RangeError when `spanMs` is not positive.
 */
export function aggregateBuckets(
  timesMs: Float64Array,
  values: Float64Array,
  spanMs: number,
): Buckets {
  if (!(spanMs > 0)) throw new RangeError(`cannot aggregate over spans of ${spanMs} ms`);
  const rowSpans = timesMs.map((timeMs) => Math.floor(timeMs / spanMs));
  const length = rowSpans.reduce((n, span, row) => (span === rowSpans[row - 1] ? n : n + 1), 0);
  const empty = () => new Float64Array(length).fill(Number.NaN);
  const buckets: Buckets = {
    startsMs: new Float64Array(length),
    counts: new Uint32Array(length),
    means: empty(),
    mins: empty(),
    maxs: empty(),
    lasts: empty(),
  };
  let bucket = -1;
  for (let row = 0; row < rowSpans.length; row++) {
    if (row === 0 || rowSpans[row] !== rowSpans[row - 1]) {
      buckets.startsMs[++bucket] = (rowSpans[row] as number) * spanMs;
    }
    const value = values[row] as number;
    if (!Number.isNaN(value)) addValue(buckets, bucket, value);
  }
  return buckets;
}

function addValue({ counts, means, mins, maxs, lasts }: Buckets, at: number, value: number): void {
  const count = (counts[at] as number) + 1;
  const before = count === 1;
  counts[at] = count;
  // A running mean does not lose digits of long spans as one large sum would.
  means[at] = before ? value : (means[at] as number) + (value - (means[at] as number)) / count;
  mins[at] = before ? value : Math.min(mins[at] as number, value);
  maxs[at] = before ? value : Math.max(maxs[at] as number, value);
  lasts[at] = value;
}
