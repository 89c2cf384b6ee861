import { applySimilarity, invertSimilarity, type Similarity } from "../../geometry/similarity.ts";
import type { ElevationGrid, GridFrame } from "../../grid/elevation-grid.ts";
import { heightThrough } from "./height-through.ts";

/**
 * A surface in another frame and on another grid: at the middle of each cell the height that the
 * surface, moved by the similarity, has there; bilinear, and not smoothed. Score and views are those of
 * the cell that the height came from. What has no data there has none here.
 * @param transform from the surface's frame into that of `grid`; its tilt is to be a few degrees at most
 */
export function resampleSurface(
  surface: ElevationGrid,
  grid: GridFrame,
  transform: Similarity,
): ElevationGrid {
  const { westM, northM, cellM, width, height } = grid;
  const elevationM = new Float32Array(width * height).fill(Number.NaN);
  const score = new Float32Array(width * height).fill(Number.NaN);
  const views = new Uint8Array(width * height);
  const heightAt = heightThrough(surface, transform);
  const back = invertSimilarity(transform);
  for (let row = 0; row < height; row += 1) {
    const y = northM - (row + 0.5) * cellM;
    let before = Number.NaN;
    for (let column = 0; column < width; column += 1) {
      const x = westM + (column + 0.5) * cellM;
      const z = heightAt(x, y, before);
      before = z;
      if (Number.isNaN(z)) continue;
      const cell = row * width + column;
      elevationM[cell] = z;
      const [sourceX, sourceY] = applySimilarity(back, [x, y, z]);
      const sourceColumn = Math.floor((sourceX - surface.westM) / surface.cellM);
      const sourceRow = Math.floor((surface.northM - sourceY) / surface.cellM);
      const source = sourceRow * surface.width + sourceColumn;
      score[cell] = surface.score[source] ?? Number.NaN;
      views[cell] = surface.views[source] ?? 0;
    }
  }
  return { westM, northM, cellM, width, height, elevationM, score, views };
}
