import type { ElevationGrid } from "../photogrammetry/elevation-grid.ts";
import { compose, inverse } from "../photogrammetry/rotation.ts";
import { surveyedCells } from "../photogrammetry/surveyed-cells.ts";
import { applySimilarity, type Similarity } from "../volume/similarity.ts";
import type { SurveyBlockFacts } from "./survey-facts.ts";

/**
 * Cells of the datum's grid that lie well within three images, 1 or 0 each. All of them where the engine
 * tells no cameras: then only heights say where the survey was.
 * @param surface on the datum's grid
 * @param transform from the survey's frame into the datum's
 */
export function surveyedOnGrid(
  surface: ElevationGrid,
  block: SurveyBlockFacts | undefined,
  transform: Similarity,
): Uint8Array {
  if (block === undefined) return new Uint8Array(surface.elevationM.length).fill(1);
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
