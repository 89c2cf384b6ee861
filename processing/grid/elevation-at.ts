import type { GridFrame, HeightField } from "./elevation-grid.ts";

/** Lowest and highest of some cells, ENU metres; the first above the second where none has a height. */
export type HeightRange = readonly [number, number];

/**
 * Heights at the middles of another raster's cells, `frame.width * frame.height` of them: bilinear
 * over the cells with data. NaN where the cell that holds the point has none: a hole never shrinks,
 * and grows by nothing.
 */
export function resampleElevation(surface: HeightField, frame: GridFrame): Float32Array {
  const { width, height, cellM, elevationM } = surface;
  const heights = new Float32Array(frame.width * frame.height);
  const across = Float64Array.from(
    { length: frame.width },
    (_, col) => (frame.westM + (col + 0.5) * frame.cellM - surface.westM) / cellM,
  );
  for (let row = 0; row < frame.height; row += 1) {
    const y = frame.northM - (row + 0.5) * frame.cellM;
    const down = (surface.northM - y) / cellM;
    const top = Math.floor(down - 0.5);
    const fy = down - 0.5 - top;
    const isInside = top >= 0 && top + 1 < height;
    for (let col = 0; col < frame.width; col += 1) {
      const x = across[col] ?? 0;
      const left = Math.floor(x - 0.5);
      const at = row * frame.width + col;
      if (isInside && left >= 0 && left + 1 < width) {
        // Nearly every cell: all four neighbours are there and have data.
        const fx = x - 0.5 - left;
        const nw = top * width + left;
        const w00 = (1 - fx) * (1 - fy);
        const w10 = fx * (1 - fy);
        const w01 = (1 - fx) * fy;
        const w11 = fx * fy;
        const sum =
          w00 * (elevationM[nw] ?? 0) +
          w10 * (elevationM[nw + 1] ?? 0) +
          w01 * (elevationM[nw + width] ?? 0) +
          w11 * (elevationM[nw + width + 1] ?? 0);
        // NaN where one of them is.
        if (!Number.isNaN(sum)) {
          heights[at] = sum / (w00 + w10 + w01 + w11);
          continue;
        }
      }
      heights[at] = heightIn(surface, x, down);
    }
  }
  return heights;
}

/**
 * Lowest and highest cell of the surface under another raster and beside its edge: what
 * {@link resampleElevation} yields lies between. The first is above the second where no cell has data.
 */
export function heightRangeUnder(surface: HeightField, frame: GridFrame): HeightRange {
  const { width, height, cellM, elevationM } = surface;
  const [left, right] = cellsUnder(
    frame.westM - surface.westM,
    frame.width * frame.cellM,
    cellM,
    width,
  );
  const [top, bottom] = cellsUnder(
    surface.northM - frame.northM,
    frame.height * frame.cellM,
    cellM,
    height,
  );
  let [lowM, highM] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = top; row < bottom; row += 1) {
    for (let col = left; col < right; col += 1) {
      const z = elevationM[row * width + col] ?? Number.NaN;
      // Comparisons with NaN are false.
      if (z < lowM) lowM = z;
      if (z > highM) highM = z;
    }
  }
  return [lowM, highM];
}

/** First cell and the one behind the last, of those that a length from an offset on touches, and one more each. */
function cellsUnder(offsetM: number, lengthM: number, cellM: number, cells: number) {
  const first = Math.floor(offsetM / cellM) - 1;
  const last = Math.floor((offsetM + lengthM) / cellM) + 1;
  return [Math.max(0, first), Math.min(cells, last + 1)] as const;
}

/** Height at a point (ENU, metres), bilinear over the cells with data; NaN outside and in holes. */
export function elevationAt(surface: HeightField, x: number, y: number): number {
  const { westM, northM, cellM } = surface;
  return heightIn(surface, (x - westM) / cellM, (northM - y) / cellM);
}

/** The same, of a point in the surface's cells from its north-west corner. */
export function heightIn(
  surface: Pick<HeightField, "width" | "height" | "elevationM">,
  across: number,
  down: number,
): number {
  const { width, height, elevationM } = surface;
  const col = Math.floor(across);
  const row = Math.floor(down);
  if (!(col >= 0 && row >= 0 && col < width && row < height)) return Number.NaN;
  if (Number.isNaN(elevationM[row * width + col] ?? 0)) return Number.NaN;
  const left = Math.floor(across - 0.5);
  const top = Math.floor(down - 0.5);
  const fx = across - 0.5 - left;
  const fy = down - 0.5 - top;
  let sum = 0;
  let weights = 0;
  for (let j = 0; j < 2; j += 1) {
    const r = Math.min(height - 1, Math.max(0, top + j));
    for (let i = 0; i < 2; i += 1) {
      const c = Math.min(width - 1, Math.max(0, left + i));
      const z = elevationM[r * width + c] ?? 0;
      const weight = (i === 0 ? 1 - fx : fx) * (j === 0 ? 1 - fy : fy);
      if (Number.isNaN(z) || weight === 0) continue;
      sum += weight * z;
      weights += weight;
    }
  }
  return sum / weights;
}
