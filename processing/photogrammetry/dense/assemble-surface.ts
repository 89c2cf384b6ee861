import type { ElevationGrid, GridFrame } from "../../grid/elevation-grid.ts";
import type { SurfaceLevel } from "./surface-plan.ts";
import type { TileResult } from "./tile.ts";

/** Puts the tiles of a level together; a missing tile has no data. */
export function assembleSurface(
  { frame, tiles }: SurfaceLevel,
  results: readonly (TileResult | undefined)[],
): ElevationGrid {
  const { westM, northM, cellM, width, height }: GridFrame = frame;
  const grid = {
    ...{ westM, northM, cellM, width, height },
    elevationM: new Float32Array(width * height).fill(Number.NaN),
    score: new Float32Array(width * height),
    views: new Uint8Array(width * height),
  };
  for (const [t, tile] of tiles.entries()) {
    const result = results[t];
    if (result === undefined) continue;
    for (let row = 0; row < tile.height; row += 1) {
      const [from, to] = [row * tile.width, (row + 1) * tile.width];
      const at = (tile.row + row) * width + tile.column;
      grid.elevationM.set(result.elevationM.subarray(from, to), at);
      grid.score.set(result.score.subarray(from, to), at);
      grid.views.set(result.views.subarray(from, to), at);
    }
  }
  return grid;
}
