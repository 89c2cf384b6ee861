import type { GateFinding } from "../../gates/gates.ts";
import { createEnuFrame, type SurveyOrigin, surveyOrigin } from "../../geometry/enu.ts";
import type { WorkingImage } from "../../images/pixels/working-image.ts";
import type { CameraPrior } from "../../photogrammetry/camera/camera-prior.ts";
import { type LensPriors, lensPriors } from "../../photogrammetry/camera/lens-priors.ts";
import type { SurveyImage } from "../../photogrammetry/camera/survey-image.ts";
import { workingSize } from "../../photogrammetry/camera/working-size.ts";
import { checkLenses } from "../../photogrammetry/checks/check-lenses.ts";
import { cameraPriors } from "../../photogrammetry/reconstruction/camera-priors.ts";
import type { ControlPoint } from "../port/engine.ts";
import type { ReadSurvey } from "../run/read-survey.ts";

/** The images that are matched, and what is known of them beforehand. */
export interface SurveyBlock {
  readonly origin: SurveyOrigin;
  /** Index in the survey of each image of the block; all that follows is by image of the block. */
  readonly surveyIndex: readonly number[];
  readonly images: readonly SurveyImage[];
  readonly files: readonly WorkingImage[];
  readonly lenses: LensPriors;
  readonly priors: readonly CameraPrior[];
}

export interface PlannedBlock {
  readonly block: SurveyBlock;
  readonly findings: readonly GateFinding[];
}

/**
 * Takes the images that passed so far as a block; leaves out those without a focal length.
 * @param placedBy control points that place the block instead of the images' own positions
 */
export function planBlock(
  { images, paths }: ReadSurvey,
  leftOut: readonly number[],
  workingWidthPx: number,
  placedBy: readonly ControlPoint[] = [],
): PlannedBlock {
  const passed = images.flatMap((image, i) => (leftOut.includes(i) ? [] : [{ image, i }]));
  const lensCheck = checkLenses(passed.map(({ image }) => image));
  const kept = passed.filter((_, k) => !lensCheck.leftOut.includes(k));
  const keptImages = kept.map(({ image }) =>
    placedBy.length > 0 ? { ...image, position: undefined, relativeAltitudeM: undefined } : image,
  );
  const lenses = lensPriors(keptImages, workingWidthPx);
  const positions =
    placedBy.length > 0
      ? placedBy.map(({ latDeg, lonDeg, heightM }) => ({ latDeg, lonDeg, altitudeM: heightM }))
      : keptImages.flatMap(({ position }) => position ?? []);
  // Without any position or control the gate NO_GPS has refused before.
  const origin = surveyOrigin(positions) ?? { latDeg: 0, lonDeg: 0, heightM: 0 };
  const block: SurveyBlock = {
    origin,
    surveyIndex: kept.map(({ i }) => i),
    images: keptImages,
    files: kept.map(({ image, i }) => ({
      path: paths[i] ?? "",
      name: image.name,
      filePx: image.widthPx * image.heightPx,
      ...workingSize(image, workingWidthPx),
    })),
    lenses,
    priors: cameraPriors(keptImages, lenses, createEnuFrame(origin)),
  };
  return { block, findings: lensCheck.findings };
}
