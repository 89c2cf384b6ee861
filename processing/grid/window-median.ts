/**
 * Median of the known values in a window of `2 * radius + 1` cells around each known cell (the upper
 * one of two middles); NaN = not known, and stays so. Radius 0 copies.
 * @param region cells that are needed; others may hold anything
 */
export function medianOfKnown(
  values: Float32Array,
  width: number,
  height: number,
  radius: number,
  region: Region = { column: 0, row: 0, width, height },
): Float32Array {
  if (radius === 0) return values.slice();
  const out = new Float32Array(values.length).fill(Number.NaN);
  if (radius === 1) medianOfNine(values, width, height, region, out);
  medianOfWindows(values, width, height, radius, region, out);
  return out;
}

/** A rectangle of cells. */
interface Region {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The same for windows of 3 x 3 cells: the median of nine is that of the largest low, the middle middle and the
 * least high value of three sorted columns (Smith 1996, XILINX XCELL 23), and neighbours share columns. Windows
 * that a border or an unknown cell cuts are left to the general way.
 */
function medianOfNine(
  values: Float32Array,
  width: number,
  height: number,
  region: Region,
  out: Float32Array,
): void {
  const [low, middle, high] = [0, 1, 2].map(() => new Float32Array(width)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const [left, right] = [
    Math.max(1, region.column),
    Math.min(width - 1, region.column + region.width),
  ];
  const bottom = Math.min(height - 1, region.row + region.height);
  for (let y = Math.max(1, region.row); y < bottom; y += 1) {
    const row = y * width;
    for (let x = left - 1; x <= right; x += 1) {
      // Not by one assignment of lists: this runs for every cell of every pass.
      const a = values[row - width + x] ?? 0;
      const b = values[row + x] ?? 0;
      const c = values[row + width + x] ?? 0;
      // NaN where one of them is.
      const least = Math.min(a, b);
      const most = Math.max(a, b);
      low[x] = Math.min(least, c);
      high[x] = Math.max(most, c);
      middle[x] = Math.max(least, Math.min(most, c));
    }
    for (let x = left; x < right; x += 1) {
      const lows = Math.max(low[x - 1] ?? 0, low[x] ?? 0, low[x + 1] ?? 0);
      const highs = Math.min(high[x - 1] ?? 0, high[x] ?? 0, high[x + 1] ?? 0);
      const middles = medianOfThree(middle[x - 1] ?? 0, middle[x] ?? 0, middle[x + 1] ?? 0);
      out[row + x] = medianOfThree(lows, middles, highs);
    }
  }
}

/** NaN where one of them is. */
function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** @param out medians that are known already, NaN = not; completed in place */
function medianOfWindows(
  values: Float32Array,
  width: number,
  height: number,
  radius: number,
  region: Region,
  out: Float32Array,
): void {
  const window = new Float32Array((2 * radius + 1) ** 2);
  const { column, row, width: columns, height: rows } = region;
  for (let y = row; y < row + rows; y += 1) {
    const top = Math.max(0, y - radius);
    const bottom = Math.min(height - 1, y + radius);
    for (let x = column; x < column + columns; x += 1) {
      if (!Number.isNaN(out[y * width + x] ?? 0)) continue;
      if (Number.isNaN(values[y * width + x] ?? 0)) continue;
      const right = Math.min(width - 1, x + radius);
      let count = 0;
      for (let j = top; j <= bottom; j += 1) {
        for (let i = Math.max(0, x - radius); i <= right; i += 1) {
          const value = values[j * width + i] ?? 0;
          if (Number.isNaN(value)) continue;
          // Insertion: for windows of 9 to 25 values faster than any call of sort.
          let place = count;
          for (; place > 0 && (window[place - 1] ?? 0) > value; place -= 1) {
            window[place] = window[place - 1] ?? 0;
          }
          window[place] = value;
          count += 1;
        }
      }
      out[y * width + x] = window[count >> 1] ?? 0;
    }
  }
}
