import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readGivenSurface } from "../../../processing/engine/given-surface.ts";
import type { GivenRasters } from "../../../processing/engine/raster/read-rasters.ts";
import { MOST_CELLS } from "../../../processing/engine/raster/read-surface.ts";
import type { SurveyRun } from "../../../processing/engine/run/survey-run.ts";
import { extentAround } from "../../../processing/epoch/extent-around.ts";
import { geoTiffBytes } from "../../support/geotiff-file.ts";
import { UTM_33, writeHeapRaster } from "../../support/heap-raster.ts";
import { HEAP_FOOTPRINT } from "../../support/heap-survey.ts";

let dir: string;
let small: string;
let large: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "given-surface-"));
  small = await writeHeapRaster(join(dir, "small.tif"), {});
  large = join(dir, "large.tif");
  // A row too many to be read as a whole.
  const side = Math.sqrt(MOST_CELLS);
  const row = new Float32Array(side).fill(40);
  const rows = Array.from({ length: side + 1 }, () => row);
  const affine = [0.1, 0, 390_000, 0, -0.1, 5_820_000] as const;
  await writeFile(
    large,
    geoTiffBytes({ width: side, height: side + 1, rows, geoKeys: UTM_33, affine }),
  );
});
afterAll(() => rm(dir, { recursive: true }));

/** What the stage is kept under. */
async function keyOf(rasters: GivenRasters): Promise<string> {
  let key = "";
  const run = {
    once: async (_stage: unknown, keys: readonly string[]) => {
      key = keys.join("\n");
      return { key, value: undefined };
    },
  } as unknown as SurveyRun;
  await readGivenSurface(run, rasters);
  return key;
}

it("a raster that is read whole is worked on once, whatever would be read of a larger one", async () => {
  const given = { dsm: small, orthophoto: undefined };
  const [whole, near, far] = await Promise.all([
    keyOf(given),
    keyOf({ ...given, largeExtent: extentAround(HEAP_FOOTPRINT, 20) }),
    keyOf({ ...given, largeExtent: extentAround(HEAP_FOOTPRINT, 50) }),
  ]);
  expect(near).toBe(whole);
  expect(far).toBe(whole);
  expect(await keyOf({ ...given, extent: extentAround(HEAP_FOOTPRINT, 20) })).not.toBe(whole);
});

it("a raster of which a part is read is worked on for each part", async () => {
  const given = { dsm: large, orthophoto: undefined };
  const keys = [
    await keyOf(given),
    await keyOf({ ...given, largeExtent: extentAround(HEAP_FOOTPRINT, 20) }),
    await keyOf({ ...given, largeExtent: extentAround(HEAP_FOOTPRINT, 50) }),
  ];
  expect(new Set(keys).size).toBe(3);
});
