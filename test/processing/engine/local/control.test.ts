import { expect, it } from "vitest";
import { controlTargets, scaleBarTargets } from "../../../../processing/engine/local/control.ts";
import type { SurveyBlock } from "../../../../processing/engine/local/survey-block.ts";
import { createEnuFrame } from "../../../../processing/geometry/enu.ts";
import { surveyImage } from "../../../support/survey-image.ts";

// Two images of 4000 x 3000 px that are worked on at 1000 x 750.
const images = ["a.jpg", "b.jpg"].map((name) => surveyImage({ name }));
const files = images.map(({ name }) => ({
  path: "",
  name,
  widthPx: 1_000,
  heightPx: 750,
  filePx: 0,
}));
const block = { images, files } as unknown as SurveyBlock;
const origin = { latDeg: 0, lonDeg: 0, heightM: 100 };
const sigmaM = { horizontal: 0.02, vertical: 0.03 };

it("control points are brought into the frame and marks to the working size, corners staying corners", () => {
  const point = { name: "P", latDeg: 0, lonDeg: 0, heightM: 103, sigmaM, isCheck: false };
  const marks = [
    // The upper left corner of the upper left pixel, and the lower right corner of the last one.
    { image: "a.jpg", u: -0.5, v: -0.5 },
    { image: "b.jpg", u: 3_999.5, v: 2_999.5 },
    { image: "left-out.jpg", u: 1, v: 1 },
  ];
  const [target] = controlTargets([{ ...point, marks }], block, createEnuFrame(origin));
  expect(target?.marks).toEqual([
    { image: 0, u: -0.5, v: -0.5 },
    { image: 1, u: 999.5, v: 749.5 },
  ]);
  expect(target?.position[0]).toBeCloseTo(0, 6);
  expect(target?.position[2]).toBeCloseTo(3, 6);
});

it("the ends of scale bars are brought to the working size", () => {
  // Middle of a pixel at 1.5 of the full size: 2 of 4 pixels of one working pixel, 0.25 * 2 - 0.5 = 0.
  const marks = [{ image: "a.jpg", u: 1.5, v: 5.5 }];
  const [bar] = scaleBarTargets(
    [{ lengthM: 2, sigmaM: 0.001, ends: [{ marks }, { marks: [] }] }],
    block,
  );
  expect(bar).toEqual({ lengthM: 2, sigmaM: 0.001, ends: [[{ image: 0, u: 0, v: 1 }], []] });
});
