import { expect, it } from "vitest";
import type { ControlPoint } from "../../../../processing/engine/engine.ts";
import type { SurveyEngines } from "../../../../processing/engine/survey-engines.ts";
import { looksPlaced } from "../../../../processing/progress/flight/flight-survey.ts";

const first = { path: "/a.jpg", sha256: "00", name: "a.jpg" };
const engines = {
  // An image without a position, and so without RTK.
  run: async () => ({ position: undefined }),
} as unknown as Pick<SurveyEngines, "run">;

const point = (name: string, images: number, isCheck = false): ControlPoint => ({
  ...{ name, latDeg: 52, lonDeg: 13, heightM: 40, isCheck },
  sigmaM: { horizontal: 0.02, vertical: 0.03 },
  marks: Array.from({ length: images }, (_, i) => ({ image: `${i}.jpg`, u: 1, v: 1 })),
});

it.each([
  ["three control points", [point("a", 2), point("b", 2), point("c", 3)], true],
  ["a check point", [point("a", 3, true)], false],
  ["two control points", [point("a", 2), point("b", 2)], false],
  ["three points that one image shows", [point("a", 1), point("b", 1), point("c", 1)], false],
  ["no control points", [], false],
] as const)("whether a flight without RTK places itself by %s", async (_, controlPoints, expected) => {
  const found = await looksPlaced(
    engines,
    { images: { files: [first] } },
    { isRtk: false, controlPoints },
    new AbortController().signal,
  );
  expect(found).toBe(expected);
});
