import type { ElevationGrid, GridFrame } from "./elevation-grid.ts";

/**
 * Least share of a cell's parts that must have a height. Less widens the surface at its edges, more opens gaps in
 * it.
 */
const LEAST_SHARE = 0.5;

/**
 * A surface on a grid whose cells are whole multiples of its own (`datumGrid`): a copy where they are the
 * same, else the mean height and score of the parts and the fewest views.
 */
export function gatherCells(surface: ElevationGrid, grid: GridFrame): ElevationGrid {
  const { width, height, cellM } = grid;
  const elevationM = new Float32Array(width * height).fill(Number.NaN);
  const score = new Float32Array(width * height).fill(Number.NaN);
  const views = new Uint8Array(width * height);
  const multiple = Math.round(cellM / surface.cellM);
  const firstColumn = Math.round((grid.westM - surface.westM) / surface.cellM);
  const firstRow = Math.round((surface.northM - grid.northM) / surface.cellM);
  for (let cell = 0; cell < elevationM.length; cell += 1) {
    const left = firstColumn + (cell % width) * multiple;
    const top = firstRow + Math.floor(cell / width) * multiple;
    let [known, heights, scores, fewest] = [0, 0, 0, 255];
    for (let row = Math.max(0, top); row < Math.min(surface.height, top + multiple); row += 1) {
      const end = row * surface.width + Math.min(surface.width, left + multiple);
      for (let part = row * surface.width + Math.max(0, left); part < end; part += 1) {
        const z = surface.elevationM[part] ?? Number.NaN;
        if (Number.isNaN(z)) continue;
        known += 1;
        heights += z;
        scores += surface.score[part] ?? Number.NaN;
        fewest = Math.min(fewest, surface.views[part] ?? 0);
      }
    }
    if (known === 0 || known < LEAST_SHARE * multiple * multiple) continue;
    elevationM[cell] = heights / known;
    score[cell] = scores / known;
    views[cell] = fewest;
  }
  const { westM, northM } = grid;
  return { westM, northM, cellM, width, height, elevationM, score, views };
}
