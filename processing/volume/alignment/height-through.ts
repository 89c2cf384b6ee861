import { applySimilarity, invertSimilarity, type Similarity } from "../../geometry/similarity.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";

/** Steps towards the height: each leaves a share of tilt times slope, 5 % for 2 degrees at 1.4 : 1. */
const MAX_STEPS = 12;
/** Where it stops, metres: below the last digit of heights stored as 32-bit floats. */
const CLOSE_M = 1e-6;

/**
 * Height of a surface, seen through a similarity, above a place in plan of the other frame; NaN where
 * the place has none. A 2.5D surface stays one while the similarity hardly tilts it. `startM` is the
 * height to start from: that of a neighbour saves steps, NaN is taken as well.
 */
export type HeightThrough = (x: number, y: number, startM: number) => number;

export function heightThrough(surface: HeightField, transform: Similarity): HeightThrough {
  const { scale, rotation: r, translation: t } = invertSimilarity(transform);
  const [r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0, r8 = 0] = r;
  const usualM = usualHeightM(surface, transform);
  return (x, y, startM) => {
    let z = Number.isNaN(startM) ? usualM : startM;
    let isInHole = false;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const sourceX = scale * (r0 * x + r1 * y + r2 * z) + t[0];
      const sourceY = scale * (r3 * x + r4 * y + r5 * z) + t[1];
      const sourceZ = scale * (r6 * x + r7 * y + r8 * z) + t[2];
      const found = bilinear(surface, sourceX, sourceY);
      if (Number.isNaN(found)) {
        // A start far off may have led beside the surface: once more from the usual height.
        if (isInHole || z === usualM) return Number.NaN;
        isInHole = true;
        z = usualM;
        continue;
      }
      const rise = (found - sourceZ) / (scale * r8);
      z += rise;
      if (Math.abs(rise) < CLOSE_M) break;
    }
    return z;
  };
}

/** Height of the surface's middle cell with data, in the other frame; NaN: it has none at all. */
function usualHeightM(surface: HeightField, transform: Similarity): number {
  const { elevationM, width, westM, northM, cellM } = surface;
  const middle = elevationM.length >> 1;
  const found = elevationM.findIndex((z, i) => i >= middle && !Number.isNaN(z));
  const cell = found >= 0 ? found : elevationM.findIndex((z) => !Number.isNaN(z));
  if (cell < 0) return Number.NaN;
  const x = westM + ((cell % width) + 0.5) * cellM;
  const y = northM - (Math.floor(cell / width) + 0.5) * cellM;
  return applySimilarity(transform, [x, y, elevationM[cell] ?? 0])[2];
}

/**
 * Bilinear over the four cells around; where one of them has no data, the plane of the other three.
 * NaN where the cell that holds the point has none, and where fewer than three have any: a hole grows
 * by half a cell at most, and a plane stays a plane up to its rim.
 */
export function bilinear(surface: HeightField, x: number, y: number): number {
  const { width, height, cellM, westM, northM, elevationM } = surface;
  const across = (x - westM) / cellM - 0.5;
  const down = (northM - y) / cellM - 0.5;
  const left = Math.floor(across);
  const top = Math.floor(down);
  if (!(left >= 0 && top >= 0 && left + 1 < width && top + 1 < height)) return Number.NaN;
  const fx = across - left;
  const fy = down - top;
  const at = top * width + left;
  const a = elevationM[at] ?? 0;
  const b = elevationM[at + 1] ?? 0;
  const c = elevationM[at + width] ?? 0;
  const d = elevationM[at + width + 1] ?? 0;
  const all = a * (1 - fx) * (1 - fy) + b * fx * (1 - fy) + c * (1 - fx) * fy + d * fx * fy;
  return Number.isNaN(all) ? besideHole(a, b, c, d, fx, fy) : all;
}

/** Of four cells (upper and lower pair), one is to have no data and must not hold the point. */
function besideHole(a: number, b: number, c: number, d: number, fx: number, fy: number): number {
  const nearest = fy < 0.5 ? (fx < 0.5 ? a : b) : fx < 0.5 ? c : d;
  if (Number.isNaN(nearest)) return Number.NaN;
  if (Number.isNaN(a)) return d + (b - d) * (1 - fy) + (c - d) * (1 - fx);
  if (Number.isNaN(b)) return c + (a - c) * (1 - fy) + (d - c) * fx;
  if (Number.isNaN(c)) return b + (a - b) * (1 - fx) + (d - b) * fy;
  return a + (b - a) * fx + (c - a) * fy;
}
