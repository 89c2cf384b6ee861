import { expect, it } from "vitest";
import type { SurveyResult } from "../../../processing/engine/port/engine.ts";
import { isPlaced } from "../../../processing/epoch/align-survey.ts";
import { surveyFacts } from "../../../processing/epoch/survey-facts.ts";
import type { AdjustmentSummary } from "../../../processing/photogrammetry/reconstruction/reconstruction.ts";
import { smallSurvey } from "../photogrammetry/products/small-survey.ts";

const HELD = { isHeldByControl: true, isHeldByRtk: true } as const;

it.each([
  ["GPS", { scaleFrom: "gps" }, "gps"],
  ["RTK", { scaleFrom: "rtk", isHeldByRtk: true }, "rtk"],
  ["RTK beside scale bars that weigh more", { scaleFrom: "scale_bars", isHeldByRtk: true }, "rtk"],
  ["RTK that weighs more than control points", { scaleFrom: "rtk", ...HELD }, "rtk"],
  ["control points that weigh more", { scaleFrom: "control_points", ...HELD }, "control_points"],
  [
    "control points beside scale bars that weigh more",
    { scaleFrom: "scale_bars", isHeldByControl: true },
    "control_points",
  ],
  ["GPS beside scale bars", { scaleFrom: "scale_bars" }, "scale_bars"],
  // Centimetres in place would make the next flight's level that of this one.
  ["GPS beside two control points, which level nothing", { scaleFrom: "control_points" }, "gps"],
] as const)("a survey is placed by %s", (_, change: Partial<AdjustmentSummary>, expected) => {
  const { reconstruction, ...rest } = smallSurvey("North yard", ["A.JPG", "B.JPG", "C.JPG"]);
  if (reconstruction === undefined) throw new Error("it has cameras");
  const summary = { ...reconstruction.summary, ...change };
  const result = {
    ...{ ...rest, reconstruction: { ...reconstruction, summary } },
    resolution: { photoPx: 1, photoGsdM: 0.02, matchedGsdM: 0.02 },
  } as unknown as SurveyResult;
  const { georeferencing } = surveyFacts(result, []);
  expect(georeferencing).toBe(expected);
  expect(isPlaced(georeferencing)).toBe(expected === "rtk" || expected === "control_points");
});
