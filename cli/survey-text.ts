import { findingText } from "../processing/gates/gates.ts";
import type { SurveySummary } from "../processing/survey/survey-summary.ts";

/** What fixes the scale, in words. */
const SCALE_FROM = {
  gps: "consumer GPS",
  rtk: "RTK",
  control_points: "control points",
  scale_bars: "scale bars",
} as const;

/** The summary of a survey as lines for a person. */
export function surveyText(summary: SurveySummary): readonly string[] {
  const { images, adjustment, control, resolution, surface, findings, products } = summary;
  const { orthophotoCellM, verticalDatum } = summary;
  const { exports, ...files } = products;
  const { cellM, width, height, knownCells } = surface;
  return [
    ...images.refused.map((text) => `left out: ${text}`),
    ...findings.map(findingText),
    ...(adjustment === null
      ? []
      : [
          `cameras: ${images.oriented} of ${images.read} images, rms ${adjustment.rmsPx.toFixed(2)} px of the photographs`,
          `scale: fixed by ${SCALE_FROM[adjustment.scaleFrom]}, ${(100 * adjustment.scaleSigma).toFixed(2)} % (1 sigma)`,
        ]),
    ...(control === null ? [] : [control]),
    ...(resolution === null
      ? []
      : [
          `ground sample distance: ${centimetres(resolution.photoGsdM)} of the photographs, ${centimetres(resolution.matchedGsdM)} as the surface was matched`,
        ]),
    `surface: ${width} x ${height} cells of ${centimetres(cellM)}, ${percent(knownCells, width * height)} with heights`,
    `heights: ${verticalDatum.name}`,
    ...(orthophotoCellM === null ? [] : [`orthophoto: cells of ${centimetres(orthophotoCellM)}`]),
    ...Object.values<string>({ ...files, ...exports }).map((path) => `  ${path}`),
  ];
}

function centimetres(lengthM: number): string {
  return `${(100 * lengthM).toFixed(2)} cm`;
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}
