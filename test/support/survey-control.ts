import type { ControlPoint } from "../../processing/engine/port/engine.ts";
import type { SurveyTruth } from "../../simulators/survey/truth/truth.ts";

/** Control points of a simulated survey as they were surveyed and marked; every `checkEvery`-th is held back. */
export function surveyedControl(
  { controlPoints }: SurveyTruth,
  checkEvery: number,
): readonly ControlPoint[] {
  return controlPoints.map(({ name, surveyed, marks }, i) => {
    const { latDeg, lonDeg, heightM, sigmaM } = surveyed;
    return {
      ...{ name, latDeg, lonDeg, heightM, sigmaM },
      isCheck: i % checkEvery === checkEvery - 1,
      marks: marks.map(({ image, u, v }) => ({ image, u, v })),
    };
  });
}
