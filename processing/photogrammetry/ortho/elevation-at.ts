import type { GridFrame } from "../elevation-grid.ts";
import type { HeightField } from "./depth-buffer.ts";

/**
 * Heights at the middles of another raster's cells, `frame.width * frame.height` of them: bilinear
 * over the cells with data. NaN where the cell that holds the point has none: a hole never shrinks,
 * and grows by nothing.
 */
export function resampleElevation(surface: HeightField, frame: GridFrame): Float32Array {
  const heights = new Float32Array(frame.width * frame.height);
  for (let row = 0; row < frame.height; row += 1) {
    const y = frame.northM - (row + 0.5) * frame.cellM;
    for (let col = 0; col < frame.width; col += 1) {
      const x = frame.westM + (col + 0.5) * frame.cellM;
      heights[row * frame.width + col] = elevationAt(surface, x, y);
    }
  }
  return heights;
}

/** Height at a point (ENU, metres), bilinear over the cells with data; NaN outside and in holes. */
export function elevationAt(surface: HeightField, x: number, y: number): number {
  const { width, height, cellM, elevationM } = surface;
  const across = (x - surface.westM) / cellM;
  const down = (surface.northM - y) / cellM;
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
