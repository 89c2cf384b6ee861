import { readFile } from "node:fs/promises";
import { fromArrayBuffer } from "geotiff";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SURVEY_EXPORTS } from "../../../domain/sites/survey-exports.ts";
import type { SurveyResult } from "../../../processing/engine/port/engine.ts";
import { openSurveyBench, type SurveyBench } from "../../support/run-survey.ts";
import { heightError, pileVolumes } from "../../support/survey-accuracy.ts";
import { type SurveySet, surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";

// The whole pipeline once: 12 simulated images of 480 x 360 px at 9 cm a pixel, cells of 36 cm. The long suite
// (npm run test:survey) has the sizes that accuracy is stated for.
const PROFILE = {
  ...{ workingWidthPx: 400, surfaceWidthPx: Number.POSITIVE_INFINITY },
  ...{ dsmCellGsd: 4, orthoCellGsd: 2, maxKeypoints: 1_500 },
};
let bench: SurveyBench;
let set: SurveySet;
let result: SurveyResult;
beforeAll(async () => {
  set = await surveySet(TINY_SURVEY);
  // One thread: a second one would load all modules again.
  bench = await openSurveyBench(1);
  result = await bench.run(set.folder, { profile: PROFILE, input: { exports: true } });
});
afterAll(() => bench.close());

it("a local survey orients every image, within what noise and JPEG leave", () => {
  expect(result.reconstruction?.cameras).toHaveLength(12);
  const rmsPx = result.reconstruction?.summary.rmsPx;
  expect(rmsPx).toBeGreaterThan(0.1);
  expect(rmsPx).toBeLessThan(0.5);
});

it("a survey oriented at 400 px makes surface and orthophoto of the photographs and gives errors in their pixels", () => {
  const { resolution, reconstruction, dsm, ortho } = result;
  expect(resolution?.photoPx).toBeCloseTo(1.2, 6);
  expect(resolution?.matchedGsdM).toBeCloseTo(resolution?.photoGsdM ?? Number.NaN, 6);
  expect(resolution?.photoGsdM).toBeCloseTo(set.truth.gsdM, 2);
  expect(dsm.cellM).toBeCloseTo(4 * (resolution?.photoGsdM ?? Number.NaN), 6);
  expect(ortho?.cellM).toBeCloseTo(2 * (resolution?.photoGsdM ?? Number.NaN), 6);
  expect(reconstruction?.lenses[0]).toMatchObject({ widthPx: 480, heightPx: 360 });
});

it("a local survey finds the ground to a tenth of a cell, where truth is known", async () => {
  const { cells, nmadM } = await heightError(result, set);
  expect(cells).toBeGreaterThan(1_000);
  expect(nmadM).toBeGreaterThan(0.005);
  expect(nmadM).toBeLessThan(0.08);
});

it("a local survey measures every pile within 6 %", async () => {
  const volumes = await pileVolumes(result, set);
  expect(volumes).toHaveLength(set.truth.piles.length);
  for (const { volumeM3, truthM3 } of volumes) {
    expect(Math.abs(volumeM3 / truthM3 - 1)).toBeLessThan(0.06);
  }
});

it("a survey reports how long each stage took, beside the products", () => {
  expect(result.timings.map(({ stage }) => stage)).toEqual([
    ...["images", "keypoints", "matching", "orientation", "surface", "orthophoto", "products"],
  ]);
  const seconds = result.timings.map((timing) => timing.seconds);
  // Matching a surface takes hundreds of milliseconds of CPU on any machine.
  expect(seconds[4]).toBeGreaterThan(0.05);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(0);
});

it("a local survey leaves every export for other programs", async () => {
  const { exports, reportHtml } = result.products;
  expect(Object.keys(exports).sort()).toEqual([...SURVEY_EXPORTS].sort());
  const cloud = await readFile(exports.point_cloud ?? "");
  expect(cloud.subarray(0, 4).toString()).toBe("LASF");
  const known = result.dsm.elevationM.filter((z) => !Number.isNaN(z)).length;
  // The map's raster is turned against ENU: a few cells more or less.
  expect(Number(cloud.readBigUInt64LE(247)) / known).toBeCloseTo(1, 1);
  const contours = JSON.parse(await readFile(exports.contours_geojson ?? "", "utf8"));
  expect(contours.features.length).toBeGreaterThan(5);
  const images = await readFile(exports.colmap_images ?? "", "utf8");
  expect(images.split("\n").filter((line) => /\.jpe?g$/i.test(line))).toHaveLength(12);
  expect((await readFile(reportHtml)).length).toBeLessThan(300_000);
});

it("a local survey leaves cameras alone where no exports are asked for", async () => {
  // Every stage is known.
  const { products } = await bench.run(set.folder, { profile: PROFILE });
  expect(Object.keys(products.exports).sort()).toEqual(
    SURVEY_EXPORTS.filter((name) => /^(cameras|colmap_|opensfm_)/.test(name)).sort(),
  );
});

it("a local survey leaves products that other readers can read", async () => {
  const { dsm, model3d, reportJson, orthomosaicPreview } = result.products;
  const file = await readFile(dsm);
  const image = await (await fromArrayBuffer(file.buffer as ArrayBuffer)).getImage();
  expect(image.getGeoKeys()?.["ProjectedCSTypeGeoKey"]).toBe(32_630);
  expect((await readFile(model3d)).subarray(0, 4).toString()).toBe("glTF");
  expect(JSON.parse(await readFile(reportJson, "utf8"))).toMatchObject({
    images: { oriented: { value: 12 } },
  });
  expect((await readFile(orthomosaicPreview ?? "")).subarray(0, 2)).toEqual(
    Buffer.from([0xff, 0xd8]),
  );
});
