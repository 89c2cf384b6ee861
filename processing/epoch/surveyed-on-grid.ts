import { compose, inverse } from "../geometry/rotation.ts";
import { applySimilarity, invertSimilarity, type Similarity } from "../geometry/similarity.ts";
import type { ElevationGrid, GridFrame } from "../grid/elevation-grid.ts";
import { surveyedCells } from "../photogrammetry/reconstruction/surveyed-cells.ts";
import type { SurveyFacts } from "./survey-facts.ts";

/**
 * Cells of the datum's grid that were surveyed, 1 or 0 each: those that lie well within three images, or
 * within the raster where the engine reports no cameras.
 * @param surface on the datum's grid
 * @param transform from the survey's frame into the datum's
 */
export function surveyedOnGrid(
  surface: ElevationGrid,
  { block, dsm }: Pick<SurveyFacts, "block" | "dsm">,
  transform: Similarity,
): Uint8Array {
  if (block === undefined) return withinRaster(surface, dsm, transform);
  const { cameras, lenses, groundM } = block;
  const back = inverse(transform.rotation);
  const moved = cameras.map((camera) => ({
    ...camera,
    pose: {
      centre: applySimilarity(transform, camera.pose.centre),
      rotation: compose(camera.pose.rotation, back),
    },
  }));
  const [, , ground] = applySimilarity(transform, [0, 0, groundM]);
  return surveyedCells(surface, { cameras: moved, lenses }, ground);
}

function withinRaster(
  surface: ElevationGrid,
  raster: GridFrame,
  transform: Similarity,
): Uint8Array {
  const { westM, northM: topM, cellM, width, elevationM } = surface;
  const { scale, rotation, translation } = invertSimilarity(transform);
  const heightM = elevationM.find((z) => !Number.isNaN(z)) ?? 0;
  const [xx = 0, xy = 0, xz = 0, yx = 0, yy = 0, yz = 0] = rotation;
  const [eastM, northM] = translation;
  // `applySimilarity` in plan, without the arrays that it makes for each of a million cells.
  const surveyed = new Uint8Array(elevationM.length);
  for (let cell = 0; cell < surveyed.length; cell += 1) {
    const x = westM + ((cell % width) + 0.5) * cellM;
    const y = topM - (Math.floor(cell / width) + 0.5) * cellM;
    const east = scale * (xx * x + xy * y + xz * heightM) + eastM;
    const north = scale * (yx * x + yy * y + yz * heightM) + northM;
    const column = (east - raster.westM) / raster.cellM;
    const row = (raster.northM - north) / raster.cellM;
    const isWithin = column >= 0 && row >= 0 && column < raster.width && row < raster.height;
    if (isWithin) surveyed[cell] = 1;
  }
  return surveyed;
}
