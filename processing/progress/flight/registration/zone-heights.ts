import type { ElevationGrid, GridFrame } from "../../../grid/elevation-grid.ts";
import { gatherCells } from "../../../grid/gather-cells.ts";
import type { HeightAt } from "./surface-source.ts";

/** A height for each cell of a grid, from the place of its middle; NaN = not known. */
export function heightsOn(frame: GridFrame, heightAt: HeightAt, offsetM = 0): Float32Array {
  const { westM, northM, cellM, width, height } = frame;
  const heights = new Float32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const y = northM - (row + 0.5) * cellM;
    for (let col = 0; col < width; col += 1) {
      heights[row * width + col] = heightAt(westM + (col + 0.5) * cellM, y) + offsetM;
    }
  }
  return heights;
}

/** Heights of a surface on the datum's lattice on a grid of the same lattice with cells as large or larger. */
export const gatheredOn = (frame: GridFrame, surface: ElevationGrid, offsetM = 0): Float32Array =>
  gatherCells(surface, frame).elevationM.map((z) => z + offsetM);

/** A surface without the cells that were not seen: holes that were filled from around them. */
export function seenOnly(surface: ElevationGrid): ElevationGrid {
  const { views } = surface;
  return {
    ...surface,
    elevationM: surface.elevationM.map((z, i) => (views[i] === 0 ? Number.NaN : z)),
  };
}
