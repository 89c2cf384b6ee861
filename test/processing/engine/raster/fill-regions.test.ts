import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { measureVolume } from "../../../../processing/measurement/surface/measure-volume.ts";
import { givenSurvey } from "../../../support/given-survey.ts";
import { GROUND_HEIGHT_M, type HeapRaster, writeHeapRaster } from "../../../support/heap-raster.ts";
import { coneM3, heapInput } from "../../../support/heap-survey.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "fills-"));
});
afterAll(() => rm(dir, { recursive: true }));

/** The heap's volume, and the warnings about the file. */
async function measured(raster: HeapRaster) {
  const path = await writeHeapRaster(join(dir, "heap.tif"), raster);
  const { survey, findings } = await givenSurvey(path);
  const { figures } = measureVolume(heapInput({}, { survey }));
  return {
    off: Math.abs(figures.netM3 / coneM3(3.6) - 1),
    warnings: findings.map(({ gate, value, advice }) => ({ gate, value, advice })),
  };
}

/** Noise of matching: 1 cm. */
const noiseM = 0.01;

it.each([
  [0.6, 1],
  [2, 2],
  [4.5, 3],
  // The ground lies below 0 here, the heap above it.
  [-0.5, 4],
])("an undeclared fill of 0 beside ground at %s m is left out, and the volume holds", async (levelM, seed) => {
  const { off, warnings } = await measured({
    ...{ noiseM, seed },
    value: (z, x, y) => (x > 9 || y > 10 ? 0 : z - GROUND_HEIGHT_M + levelM + 0.03 * x),
  });
  expect(warnings).toEqual([
    {
      gate: "SURFACE_NO_DATA",
      value: expect.any(Number),
      advice: expect.stringMatching(/left out/),
    },
  ]);
  // 3.5 of 25 m to the east, and 2.5 of the rest to the north, with a cell beside them.
  expect(warnings[0]?.value).toBeGreaterThan(22);
  expect(warnings[0]?.value).toBeLessThan(26);
  expect(off).toBeLessThan(0.01);
});

it("a fill that resampling mixed into its neighbours is found as well", async () => {
  const { warnings } = await measured({
    noiseM,
    value: (z, x) => {
      const ground = z - GROUND_HEIGHT_M + 3;
      return x > 9 ? 0 : x > 8.75 ? ground / 2 : ground;
    },
  });
  expect(warnings).toMatchObject([{ advice: expect.stringMatching(/left out/) }]);
});

it("water at exactly 0 that the ground falls to is kept silently", async () => {
  const { off, warnings } = await measured({
    noiseM,
    value: (z, x) => Math.max(0, z - GROUND_HEIGHT_M + 0.05 * (10 - x)),
  });
  expect(warnings).toEqual([]);
  expect(off).toBeLessThan(0.01);
});

it("a drawn floor at 0 that walls stand on is kept, and said", async () => {
  const { warnings } = await measured({
    value: (z, x) => (x > 9 ? 0 : z - GROUND_HEIGHT_M + 3),
  });
  expect(warnings).toEqual([
    {
      gate: "SURFACE_NO_DATA",
      value: expect.closeTo(14, 0),
      advice: expect.stringMatching(/taken for heights/),
    },
  ]);
});
