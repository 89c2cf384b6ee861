/** A raster of heights for contours; NaN = not known. */
export interface ContourRaster {
  readonly heightM: Float32Array;
  readonly width: number;
  readonly height: number;
  /** Cells of the raster that it was made from along one of its edges. */
  readonly step: number;
}

/** Longer edge at most, cells: lines of finer rasters are files that drawing programs choke on. */
const MOST_CELLS = 1_500;
/** Rounds of the 1-2-1 mean: their spread is one cell, which takes the noise of matching out of lines. */
const ROUNDS = 2;

/**
 * A smoother raster for contours: means over squares of `step` cells, then of neighbours. Lines are traced
 * in it and not smoothed themselves, for smoothed lines may cross. A square is known where most of its cells
 * are, and means leave out what is not known: holes stay.
 */
export function smoothRaster(heightM: Float32Array, width: number, height: number): ContourRaster {
  const step = Math.max(1, Math.ceil(Math.max(width, height) / MOST_CELLS));
  let raster: Float32Array = step === 1 ? heightM.slice() : squares(heightM, width, height, step);
  const wide = Math.floor(width / step);
  const high = Math.floor(height / step);
  for (let round = 0; round < ROUNDS; round += 1) {
    raster = means(means(raster, wide, high, 1), wide, high, wide);
  }
  return { heightM: raster, width: wide, height: high, step };
}

function squares(heightM: Float32Array, width: number, height: number, step: number) {
  const wide = Math.floor(width / step);
  const high = Math.floor(height / step);
  const out = new Float32Array(wide * high).fill(Number.NaN);
  for (let row = 0; row < high; row += 1) {
    for (let col = 0; col < wide; col += 1) {
      let sum = 0;
      let known = 0;
      for (let j = row * step; j < (row + 1) * step; j += 1) {
        for (let i = col * step; i < (col + 1) * step; i += 1) {
          const z = heightM[j * width + i] ?? Number.NaN;
          if (Number.isNaN(z)) continue;
          sum += z;
          known += 1;
        }
      }
      if (2 * known > step * step) out[row * wide + col] = sum / known;
    }
  }
  return out;
}

/** 1-2-1 mean of each cell and the two beside it, along rows (`stride` 1) or columns. */
function means(values: Float32Array, width: number, height: number, stride: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const place = stride === 1 ? i % width : Math.floor(i / width);
    const last = (stride === 1 ? width : height) - 1;
    let sum = 2 * (values[i] ?? Number.NaN);
    let weight = 2;
    for (const side of [-1, 1]) {
      if (place + side < 0 || place + side > last) continue;
      const z = values[i + side * stride] ?? Number.NaN;
      if (Number.isNaN(z)) continue;
      sum += z;
      weight += 1;
    }
    out[i] = sum / weight;
  }
  return out;
}
