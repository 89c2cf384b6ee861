import type { HeightField } from "./elevation-grid.ts";

/**
 * A surface in cells of at least so many metres: means of whole blocks of cells, of those with data.
 * The same surface where its cells are that large.
 */
export function coarser(surface: HeightField, cellM: number): HeightField {
  const block = Math.ceil(cellM / surface.cellM - 1e-6);
  if (block <= 1) return surface;
  const width = Math.ceil(surface.width / block);
  const height = Math.ceil(surface.height / block);
  const sums = new Float64Array(width * height);
  const counts = new Float64Array(width * height);
  for (let row = 0; row < surface.height; row += 1) {
    const first = Math.floor(row / block) * width;
    for (let col = 0; col < surface.width; col += 1) {
      const z = surface.elevationM[row * surface.width + col] ?? Number.NaN;
      if (Number.isNaN(z)) continue;
      const to = first + Math.floor(col / block);
      sums[to] = (sums[to] ?? 0) + z;
      counts[to] = (counts[to] ?? 0) + 1;
    }
  }
  return {
    westM: surface.westM,
    northM: surface.northM,
    cellM: surface.cellM * block,
    width,
    height,
    // 0 / 0 means no data.
    elevationM: Float32Array.from(sums, (sum, i) => sum / (counts[i] ?? 0)),
  };
}
