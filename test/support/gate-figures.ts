import { planSurface } from "../../processing/photogrammetry/dense/surface-plan.ts";
import { surveyedCells } from "../../processing/photogrammetry/reconstruction/surveyed-cells.ts";
import type { RecordedSurvey } from "./recorded-survey.ts";

/** What the gates check of a survey, in the units of their limits; NaN where it did not come so far. */
export const FIGURES = {
  /** Least of the images. */
  sharpness: ({ images }) => Math.min(...images.map(({ quality }) => quality.sharpness)),
  contrast: ({ images }) => Math.min(...images.map(({ quality }) => quality.contrast)),
  keypoints: ({ keypoints }) => mean(keypoints),
  candidates: ({ pairs }) => mean(pairs.map(({ candidates }) => candidates)),
  inliers: ({ pairs }) =>
    mean(pairs.flatMap((pair) => ("matches" in pair ? [pair.matches.length / 2] : []))),
  "verified %": ({ pairs }) => 100 * mean(pairs.map((pair) => ("matches" in pair ? 1 : 0))),
  "rms px": ({ orientation }) => orientation?.reconstruction?.summary.rmsPx ?? Number.NaN,
  "dropped %": ({ orientation }) =>
    100 * (orientation?.reconstruction?.summary.droppedTracks ?? Number.NaN),
  "GPS m": ({ orientation }) =>
    orientation?.reconstruction?.summary.gpsResidualM?.horizontal ?? Number.NaN,
  "focal %": ({ orientation }) =>
    100 *
    Math.max(
      ...(orientation?.reconstruction?.summary.focal ?? []).map(({ relativeChange }) =>
        Math.abs(relativeChange),
      ),
    ),
  "volume %": ({ orientation }) =>
    300 * (orientation?.reconstruction?.summary.scaleSigma ?? Number.NaN),
  "covered %": coverage,
} as const satisfies Readonly<Record<string, (survey: RecordedSurvey) => number>>;

function coverage({ result }: RecordedSurvey): number {
  if (result?.reconstruction === undefined) return Number.NaN;
  const { dsm, reconstruction } = result;
  const surveyed = surveyedCells(dsm, reconstruction, planSurface(reconstruction).groundM);
  let inside = 0;
  let known = 0;
  for (let i = 0; i < surveyed.length; i += 1) {
    if (surveyed[i] !== 1) continue;
    inside += 1;
    if (!Number.isNaN(dsm.elevationM[i] ?? Number.NaN)) known += 1;
  }
  return (100 * known) / inside;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
