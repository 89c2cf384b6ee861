import type { GridFrame } from "../../../grid/elevation-grid.ts";

/**
 * Mean over a square of cells about each cell, `reach` to either side, of those with a value; NaN stays NaN.
 * Two passes of running sums: the size of the square costs nothing.
 */
export function boxMean(
  { width, height }: Pick<GridFrame, "width" | "height">,
  values: Float32Array,
  reach: number,
): Float32Array {
  if (reach < 1) return values;
  const [sums, counts] = [new Float64Array(values.length), new Float64Array(values.length)];
  for (let row = 0; row < height; row += 1) {
    let [sum, count] = [0, 0];
    const at = row * width;
    for (let col = -reach; col < width; col += 1) {
      const entering = values[at + col + reach];
      if (col + reach < width && entering !== undefined && !Number.isNaN(entering)) {
        sum += entering;
        count += 1;
      }
      const leaving = values[at + col - reach - 1];
      if (col - reach - 1 >= 0 && leaving !== undefined && !Number.isNaN(leaving)) {
        sum -= leaving;
        count -= 1;
      }
      if (col < 0) continue;
      sums[at + col] = sum;
      counts[at + col] = count;
    }
  }
  const means = new Float32Array(values.length);
  for (let col = 0; col < width; col += 1) {
    let [sum, count] = [0, 0];
    for (let row = -reach; row < height; row += 1) {
      if (row + reach < height) {
        sum += sums[(row + reach) * width + col] ?? 0;
        count += counts[(row + reach) * width + col] ?? 0;
      }
      if (row - reach - 1 >= 0) {
        sum -= sums[(row - reach - 1) * width + col] ?? 0;
        count -= counts[(row - reach - 1) * width + col] ?? 0;
      }
      if (row < 0) continue;
      const cell = row * width + col;
      means[cell] = Number.isNaN(values[cell] ?? Number.NaN) ? Number.NaN : sum / count;
    }
  }
  return means;
}

/**
 * The surface without what is narrower than a square of cells, `reach` to either side of its middle:
 * morphological opening, least values and then the largest of those. What has no value counts for nothing.
 */
export function opened(
  frame: Pick<GridFrame, "width" | "height">,
  values: Float32Array,
  reach: number,
): Float32Array {
  return extreme(frame, extreme(frame, values, reach, -1), reach, 1);
}

/** Least value over a square of cells about each cell, `reach` to either side; NaN where none has a value. */
export const leastAround = (
  frame: Pick<GridFrame, "width" | "height">,
  values: Float32Array,
  reach: number,
): Float32Array => extreme(frame, values, reach, -1);

/** Largest value over the same. */
export const largestAround = (
  frame: Pick<GridFrame, "width" | "height">,
  values: Float32Array,
  reach: number,
): Float32Array => extreme(frame, values, reach, 1);

/** Least (`sign` -1) or largest values over squares, along rows and then along columns. */
function extreme(
  { width, height }: Pick<GridFrame, "width" | "height">,
  values: Float32Array,
  reach: number,
  sign: 1 | -1,
): Float32Array {
  const alongRows = new Float32Array(values.length);
  for (let row = 0; row < height; row += 1) {
    runningExtreme(values, alongRows, { from: row * width, step: 1, count: width }, reach, sign);
  }
  const result = new Float32Array(values.length);
  for (let col = 0; col < width; col += 1) {
    runningExtreme(alongRows, result, { from: col, step: width, count: height }, reach, sign);
  }
  return result;
}

/** Extremes along one line of cells by a queue of candidates, each cell in and out once (Lemire 2006). */
function runningExtreme(
  values: Float32Array,
  to: Float32Array,
  { from, step, count }: { readonly from: number; readonly step: number; readonly count: number },
  reach: number,
  sign: 1 | -1,
): void {
  const queue = new Int32Array(count);
  let [head, tail] = [0, 0];
  const at = (k: number) => sign * (values[from + k * step] ?? Number.NaN);
  for (let k = 0; k < count + reach; k += 1) {
    if (k < count && !Number.isNaN(at(k))) {
      while (tail > head && at(queue[tail - 1] ?? 0) <= at(k)) tail -= 1;
      queue[tail] = k;
      tail += 1;
    }
    const middle = k - reach;
    if (middle < 0) continue;
    while (tail > head && (queue[head] ?? 0) < middle - reach) head += 1;
    to[from + middle * step] = tail > head ? sign * at(queue[head] ?? 0) : Number.NaN;
  }
}

/**
 * Sweeps at most; corners of fills take two or three. More only cost time on surfaces that wind; fewer leave
 * corners cut.
 */
const MOST_SWEEPS = 12;

/**
 * An opened surface grown back under the one it was opened from (opening by reconstruction, Vincent 1993): what
 * is connected with the rest at its own height comes back whole, as corners of a fill do; what stands on it
 * does not.
 */
export function reconstructed(
  { width, height }: Pick<GridFrame, "width" | "height">,
  openedValues: Float32Array,
  values: Float32Array,
): Float32Array {
  const grown = openedValues.slice();
  const count = width * height;
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep += 1) {
    const step = sweep % 2 === 0 ? 1 : -1;
    let hasChanged = false;
    for (let k = 0; k < count; k += 1) {
      const cell = step === 1 ? k : count - 1 - k;
      const col = cell % width;
      const mask = values[cell] ?? Number.NaN;
      let most = grown[cell] ?? Number.NaN;
      if (Number.isNaN(mask) || most >= mask) continue;
      // Those that this sweep has been at.
      if (step === 1 ? col > 0 : col + 1 < width) most = higher(most, grown[cell - step]);
      most = higher(most, grown[cell - step * width]);
      most = Math.min(mask, most);
      if (most > (grown[cell] ?? 0)) {
        grown[cell] = most;
        hasChanged = true;
      }
    }
    if (!hasChanged && sweep > 0) break;
  }
  return grown;
}

const higher = (a: number, b: number | undefined): number => (b !== undefined && b > a ? b : a);
