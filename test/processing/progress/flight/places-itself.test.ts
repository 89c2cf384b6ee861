import { expect, it } from "vitest";
import type { ControlPoint } from "../../../../processing/engine/port/engine.ts";
import type { SurveyEngines } from "../../../../processing/engine/survey-engines.ts";
import { placesItself } from "../../../../processing/progress/flight/flight-survey.ts";

const files = Array.from({ length: 21 }, (_, i) => {
  const name = `${i}.jpg`;
  return { path: `/${name}`, sha256: "00", name };
});
/** Reads images of which these have a fixed solution. */
const enginesOf = (isRtk: (image: number) => boolean) =>
  ({
    run: async (_: unknown, { name }: { readonly name: string }) => ({
      position: { isRtk: isRtk(Number.parseInt(name, 10)) },
    }),
  }) as unknown as Pick<SurveyEngines, "run">;

/** About 11 m of latitude and 7 m of longitude for each place. */
const PLACES: Readonly<Record<string, readonly [north: number, east: number]>> = {
  ...{ a: [0, 0], b: [5, 0], c: [0, 5] },
  // On the line of a and b.
  d: [9, 0],
};

const point = (name: string, images: number, isCheck = false): ControlPoint => ({
  ...{ name, latDeg: 52 + 1e-4 * (PLACES[name]?.[0] ?? 0), heightM: 40, isCheck },
  lonDeg: 13 + 1e-4 * (PLACES[name]?.[1] ?? 0),
  sigmaM: { horizontal: 0.02, vertical: 0.03 },
  marks: Array.from({ length: images }, (_, i) => ({ image: `${i}.jpg`, u: 1, v: 1 })),
});

/** Marked in two images one of which is not of the flight. */
const beside = (name: string): ControlPoint => ({
  ...point(name, 1),
  marks: ["0.jpg", "900.jpg"].map((image) => ({ image, u: 1, v: 1 })),
});

it.each([
  ["three control points", [point("a", 2), point("b", 2), point("c", 3)], true],
  ["a check point", [point("a", 3, true)], false],
  ["two control points", [point("a", 2), point("b", 2)], false],
  ["three points that one image shows", [point("a", 1), point("b", 1), point("c", 1)], false],
  ["three points on a line", [point("a", 2), point("b", 2), point("d", 2)], false],
  ["points that images of another flight show", [beside("a"), beside("b"), beside("c")], false],
  ["no control points", [], false],
] as const)("whether a flight without RTK places itself by %s", async (_, controlPoints, expected) => {
  const found = await placesItself(
    enginesOf(() => false),
    { images: { files } },
    { isRtk: false, controlPoints },
    new AbortController().signal,
  );
  expect(found).toBe(expected);
});

it.each([
  ["every image", () => true, true],
  ["every image but the first", (image: number) => image > 0, true],
  ["the first image alone", (image: number) => image === 0, false],
  ["the first third of a flight", (image: number) => image < 7, false],
] as const)("whether a flight places itself by RTK in %s", async (_, isRtk, expected) => {
  const found = await placesItself(
    enginesOf(isRtk),
    { images: { files } },
    { isRtk: false, controlPoints: [] },
    new AbortController().signal,
  );
  expect(found).toBe(expected);
});
