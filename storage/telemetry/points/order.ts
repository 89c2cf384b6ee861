/**
 * The order that sorts `keys` ascending, stable; `undefined` when they are already ascending (equal
 * neighbours allowed). Merges the ascending runs it finds, so that k sorted pieces laid end to end
 * cost `n log k`; no row objects are made.
 */
export function ascendingOrder(keys: Float64Array): Uint32Array | undefined {
  const starts = runStarts(keys);
  if (starts.length <= 2) return undefined;
  let from: Uint32Array = new Uint32Array(keys.length);
  for (let i = 0; i < from.length; i++) from[i] = i;
  let to: Uint32Array = new Uint32Array(keys.length);
  let bounds = starts;
  while (bounds.length > 2) {
    const merged: number[] = [0];
    for (let i = 0; i + 1 < bounds.length; i += 2) {
      const start = bounds[i] as number;
      const middle = bounds[i + 1] as number;
      const end = bounds[i + 2] ?? middle;
      mergeRuns(keys, from, to, start, middle, end);
      merged.push(end);
    }
    [from, to] = [to, from];
    bounds = merged;
  }
  return from;
}

/** Where each ascending run begins, then the length. */
function runStarts(keys: Float64Array): number[] {
  const starts = [0];
  for (let i = 1; i < keys.length; i++) {
    if ((keys[i] as number) < (keys[i - 1] as number)) starts.push(i);
  }
  starts.push(keys.length);
  return starts;
}

function mergeRuns(
  keys: Float64Array,
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  middle: number,
  end: number,
): void {
  let a = start;
  let b = middle;
  let out = start;
  while (a < middle && b < end) {
    const rowA = from[a] as number;
    const rowB = from[b] as number;
    if ((keys[rowB] as number) < (keys[rowA] as number)) {
      to[out++] = rowB;
      b++;
    } else {
      to[out++] = rowA;
      a++;
    }
  }
  if (a < middle) to.set(from.subarray(a, middle), out);
  else if (b < end) to.set(from.subarray(b, end), out);
}

/** First index in `[start, end)` whose key is at least `key`; `end` when there is none. */
export function lowerBound(keys: Float64Array, key: number, start: number, end: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
