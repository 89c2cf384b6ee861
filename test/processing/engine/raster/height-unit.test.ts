import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { HeightUnit } from "../../../../domain/geometry/vertical-datum.ts";
import { heightUnitM } from "../../../../processing/engine/raster/height-unit.ts";
import { readElevation } from "../../../../processing/engine/raster/read-surface.ts";
import {
  GROUND_HEIGHT_M,
  type HeapRaster,
  UTM_33,
  writeHeapRaster,
} from "../../../support/heap-raster.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const US_FOOT_M = 1200 / 3937;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "height-unit-"));
});
afterAll(() => rm(dir, { recursive: true }));

async function read(raster: HeapRaster, heightUnit?: HeightUnit) {
  const path = await writeHeapRaster(join(dir, "heap.tif"), raster);
  const { dsm, findings } = await readElevation(path, { heightUnit });
  const known = dsm.elevationM.filter((z) => !Number.isNaN(z));
  let [low, high] = [Infinity, -Infinity];
  for (const z of known) [low, high] = [Math.min(low, z), Math.max(high, z)];
  return { reliefM: high - low, gates: findings.map(({ gate }) => gate) };
}

it.each([
  ["ft", 0.3048],
  ["us-ft", US_FOOT_M],
  ["m", 1],
] as const)("heights that name no unit are read in the unit that the request names: %s", async (unit, unitM) => {
  const { reliefM, gates } = await read({ value: (z) => z / unitM }, unit);
  expect(reliefM).toBeGreaterThan(3.45);
  expect(reliefM).toBeLessThan(3.65);
  expect(gates).toEqual([]);
});

it("a unit that the file contradicts is refused", async () => {
  const raster = { geoKeys: { ...UTM_33, 4096: 6_360 }, side: 40 };
  await expect(read(raster, "m")).rejects.toMatchObject({
    code: "IMAGE_REFUSED",
    message: expect.stringMatching(/not of 1 m as the request says/),
  });
});

it("undeclared feet are doubted: no heap has a slope of 63 degrees", async () => {
  const { gates } = await read({ value: (z) => z / 0.3048 });
  expect(gates).toEqual(["SURFACE_UNIT"]);
});

it.each([
  ["a heap in metres", (z: number) => z],
  ["walls of 4 m and edges", (z: number, x: number) => (Math.floor(x / 3) % 2 === 0 ? z + 4 : z)],
  // 70 to 80 degrees: as feet they would still be steeper than loose material.
  ["a rock face", (z: number, x: number) => z + 5 * Math.max(0, Math.min(6, x - 5))],
] as const)("%s that names no unit is not", async (_, value) => {
  const { gates } = await read({ value });
  expect(gates.filter((gate) => gate === "SURFACE_UNIT")).toEqual([]);
});

it("noise of 5 cm in cells of 10 cm is not taken for slopes", async () => {
  const random = seededRandom(5);
  const { gates } = await read({
    cellM: 0.1,
    side: 200,
    value: () => GROUND_HEIGHT_M + 0.1 * (random() + random() - 1),
  });
  expect(gates.filter((gate) => gate === "SURFACE_UNIT")).toEqual([]);
});

it("no unit is taken from words that name an ellipsoid only", () => {
  const keys = { VerticalCitationGeoKey: "WGS 84 Ellipsoid" } as unknown as Parameters<
    typeof heightUnitM
  >[0];
  expect(heightUnitM(keys, 1, "ft")).toEqual({ unitM: 0.3048, isStated: true });
  expect(heightUnitM(keys, 1, undefined, US_FOOT_M)).toEqual({ unitM: US_FOOT_M, isStated: true });
  expect(heightUnitM(keys, 1, undefined)).toEqual({ unitM: 1, isStated: false });
});
