import { expect, it } from "vitest";
import { alignSurvey } from "../../../processing/epoch/align-survey.ts";
import type { EpochCamera } from "../../../processing/epoch/epoch-file.ts";
import type { SurveyCamera } from "../../../processing/epoch/survey-facts.ts";
import { rotationFromVector, type Vector3 } from "../../../processing/geometry/rotation.ts";
import { applySimilarity, type Similarity } from "../../../processing/geometry/similarity.ts";
import { type Heap, heapSurvey, SITE } from "../../support/heap-survey.ts";

/** From the survey's frame into that of the earlier one. */
const TRUE: Similarity = {
  scale: 1.012,
  rotation: rotationFromVector([0.004, -0.003, 0.01]),
  translation: [1.4, -2.2, 5.1],
};

/** So many cameras, 8 m from each other in rows of four, that both epochs oriented. */
function surveyWith(cameras: number, heap: Heap = {}) {
  const places = Array.from(
    { length: cameras },
    (_, i): Vector3 => [8 * (i % 4), 8 * (i >> 2), i % 3],
  );
  const own = places.map(
    (centre, i): SurveyCamera => ({ sha256: `${i}`, kind: undefined, centre }),
  );
  const earlier = places.map(
    (centre, i): EpochCamera => ({
      sha256: `${i}`,
      kind: "jpg",
      centre: applySimilarity(TRUE, centre),
    }),
  );
  return {
    survey: { ...heapSurvey({ cellM: 2, ...heap }), cameras: own },
    fixed: { origin: SITE, georeferencing: "gps", surface: undefined, cameras: earlier } as const,
  };
}

it("the alignment of a survey goes by cameras that both epochs oriented, at the earlier one's scale", () => {
  const { survey, fixed } = surveyWith(8, { georeferencing: "gps" });
  const { transform, alignment } = alignSurvey(survey, fixed, []) ?? {};
  expect(transform?.scale).toBeCloseTo(1.012, 9);
  expect(transform?.translation.map((value) => Number(value.toFixed(6)))).toEqual([1.4, -2.2, 5.1]);
  expect(alignment?.kind).toBe("joint_adjustment");
  expect(alignment?.heightSigmaM).toBeLessThan(1e-6);
  expect(alignment?.scaleSigma).toBeLessThan(1e-6);
});

it("the alignment of a survey does not go by a handful of common cameras", () => {
  const { survey, fixed } = surveyWith(5, { georeferencing: "gps" });
  expect(alignSurvey(survey, fixed, [])).toBeUndefined();
});

it("the alignment of a survey goes by positions alone only when both surveys were placed to centimetres", () => {
  const { survey, fixed } = surveyWith(0, { originM: [3, 4, -1] });
  const placed = { ...fixed, georeferencing: "control_points" } as const;
  const { transform, alignment } = alignSurvey(survey, placed, []) ?? {};
  expect(alignment).toEqual({
    kind: "georeferenced",
    heightSigmaM: 0.03,
    planSigmaM: 0.02,
    scaleSigma: undefined,
  });
  expect(transform?.translation.map((value) => Number(value.toFixed(4)))).toEqual([3, 4, -1]);
  expect(alignSurvey(survey, fixed, [])).toBeUndefined();
});
