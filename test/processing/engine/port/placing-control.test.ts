import { expect, it } from "vitest";
import { placingControl } from "../../../../processing/engine/local/control.ts";
import { surveyImage } from "../../../support/survey-image.ts";

const bare = ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"].map((name) =>
  surveyImage({ name, position: undefined }),
);
/** About 11 m east and north for each 0.0001 degrees, near the equator. */
const point = (name: string, east: number, north: number, images = ["a.jpg", "b.jpg"]) => ({
  ...{ name, lonDeg: east * 1e-4, latDeg: north * 1e-4, heightM: 5, isCheck: false },
  sigmaM: { horizontal: 0.02, vertical: 0.03 },
  marks: images.map((image) => ({ image, u: 1, v: 2 })),
});
const corners = [point("A", 0, 0), point("B", 5, 0), point("C", 0, 5)];

it("three control points that are marked in two images place images without positions", () => {
  expect(placingControl(corners, bare)).toEqual(corners);
});

it("control points do not place images that have positions", () => {
  expect(
    placingControl(
      corners,
      bare.map((image) => ({ ...image, position: surveyImage().position })),
    ),
  ).toEqual([]);
});

it.each([
  ["two points", corners.slice(0, 2)],
  ["points on a line", [point("A", 0, 0), point("B", 5, 5.05), point("C", 10, 10)]],
  ["points that one image shows", corners.map((one) => ({ ...one, marks: one.marks.slice(0, 1) }))],
  [
    "points whose second image is not there",
    corners.map(({ name }, i) => point(name, 5 * i, i * i, ["a.jpg", "z.jpg"])),
  ],
  ["check points", corners.map((one) => ({ ...one, isCheck: true }))],
])("%s do not place a block", (_, points) => {
  expect(placingControl(points, bare)).toEqual([]);
});
