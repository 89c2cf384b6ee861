import type { ElevationGrid } from "../../grid/elevation-grid.ts";

/** Views that a coarser height must rest on, as those of the last pass. */
const MIN_VIEWS = 3;

/**
 * A surface whose cells without a height take that of a coarser one, where it was matched in three views or
 * more: crowns and water look alike in several images only at half their size. The error of such a height
 * grows with the size of its cells. Its score is lowered accordingly, to -1 at least (errors go with the root
 * of 1 - score, see `volume/height-noise.ts`).
 */
export function fillFromCoarser(fine: ElevationGrid, coarse: ElevationGrid): ElevationGrid {
  const elevationM = fine.elevationM.slice();
  const score = fine.score.slice();
  const views = fine.views.slice();
  const ratio = fine.cellM / coarse.cellM;
  const column0 = (fine.westM - coarse.westM) / coarse.cellM;
  const row0 = (coarse.northM - fine.northM) / coarse.cellM;
  for (let row = 0; row < fine.height; row += 1) {
    const y = Math.floor(row0 + (row + 0.5) * ratio);
    if (y < 0 || y >= coarse.height) continue;
    for (let column = 0; column < fine.width; column += 1) {
      const i = row * fine.width + column;
      if (!Number.isNaN(elevationM[i] ?? 0)) continue;
      const x = Math.floor(column0 + (column + 0.5) * ratio);
      if (x < 0 || x >= coarse.width) continue;
      const from = y * coarse.width + x;
      if ((coarse.views[from] ?? 0) < MIN_VIEWS) continue;
      elevationM[i] = coarse.elevationM[from] ?? Number.NaN;
      score[i] = Math.max(-1, 1 - (1 - (coarse.score[from] ?? 0)) / ratio ** 2);
      views[i] = coarse.views[from] ?? 0;
    }
  }
  return { ...fine, elevationM, score, views };
}
