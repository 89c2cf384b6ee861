import { type EpochCamera, encodeEpoch } from "../../epoch/epoch-file.ts";
import type { SurveyFacts } from "../../epoch/survey-facts.ts";
import { applySimilarity, type Similarity } from "../../geometry/similarity.ts";
import { drawPictures, type PilePictures } from "../pictures/draw-pictures.ts";
import { type PileProfile, pileProfile } from "../profile/pile-profile.ts";
import type { MeasureSurfaceInput } from "./measure-input.ts";
import { measureVolume, type SurfaceFigures } from "./measure-volume.ts";

/** All that one survey says of its stockpile. */
export interface MeasuredSurface {
  readonly figures: SurfaceFigures;
  readonly pictures: PilePictures;
  readonly profile: PileProfile;
  /** File for the next epoch. */
  readonly epoch: Uint8Array;
}

/**
 * Measures a volume (`measureVolume`), and draws and keeps what it was measured in. For tasks: takes seconds,
 * and memory as estimated in `tasks.ts`.
 */
export async function measureSurface(input: MeasureSurfaceInput): Promise<MeasuredSurface> {
  const { figures, surface, filled, base, polygon, previous, transform } = measureVolume(input);
  const { surface: grid, interpolated } = filled;
  const shown = { grid, base, polygon, interpolated };
  return {
    figures,
    pictures: await drawPictures(previous === undefined ? shown : { ...shown, previous }),
    profile: pileProfile(grid, base, polygon, previous),
    epoch: encodeEpoch({
      datum: figures.datum.id,
      surface,
      cameras: camerasOf(input.survey, transform),
      companions: input.companions ?? [],
    }),
  };
}

/** The survey's own cameras in the frame of the datum. */
function camerasOf({ cameras }: SurveyFacts, transform: Similarity): readonly EpochCamera[] {
  return cameras.flatMap(({ sha256, kind, centre }) =>
    kind === undefined ? [] : [{ sha256, kind, centre: applySimilarity(transform, centre) }],
  );
}
