import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import proj4 from "proj4";
import { afterAll, beforeAll, expect, it } from "vitest";
import { heightScale } from "../../../../processing/engine/raster/height-scale.ts";
import { openRaster } from "../../../../processing/engine/raster/open-raster.ts";
import { readHeights, windowOf } from "../../../../processing/engine/raster/raster-window.ts";
import { readElevation } from "../../../../processing/engine/raster/read-surface.ts";
import { extentAround } from "../../../../processing/epoch/extent-around.ts";
import { measureVolume } from "../../../../processing/measurement/surface/measure-volume.ts";
import { type BandValues, geoTiffBytes } from "../../../support/geotiff-file.ts";
import { GROUND_HEIGHT_M, UTM_33, writeHeapRaster } from "../../../support/heap-raster.ts";
import { coneM3, HEAP_FOOTPRINT, heapInput, SITE } from "../../../support/heap-survey.ts";

/** 36 million cells of 0.1 m: more than are read at once. */
const SIDE = 6_000;
const CELL_M = 0.1;

let dir: string;
let path: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "window-"));
  path = join(dir, "large.tif");
  const [x = 0, y = 0] = proj4("+proj=utm +zone=33 +datum=WGS84 +units=m +no_defs", [
    SITE.lonDeg,
    SITE.latDeg,
  ]);
  // The heap lies 50 m from the west edge and 100 m from the north edge: its window is cut off there.
  const [west, north] = [x - 50, y + 100];
  const flat: BandValues = new Float32Array(SIDE).fill(GROUND_HEIGHT_M);
  const rows = Array.from({ length: SIDE }, (_, row) => {
    const down = (row + 0.5) * CELL_M - 100;
    if (Math.abs(down) > 6) return flat;
    return Float32Array.from({ length: SIDE }, (_, column) => {
      const right = (column + 0.5) * CELL_M - 50;
      return GROUND_HEIGHT_M + 3.6 * Math.max(0, 1 - Math.hypot(right, down) / 6);
    });
  });
  const affine = [CELL_M, 0, west, 0, -CELL_M, north] as const;
  await writeFile(path, geoTiffBytes({ width: SIDE, height: SIDE, rows, geoKeys: UTM_33, affine }));
});
afterAll(() => rm(dir, { recursive: true }));

it("of a raster of 36 million cells the ground around the footprint is read at its own cell", async () => {
  const { origin, dsm, findings } = await readElevation(path, {
    extent: extentAround(HEAP_FOOTPRINT, 20),
  });
  expect(findings).toEqual([]);
  expect(dsm.cellM).toBeCloseTo(CELL_M, 3);
  // 14 m and 20 m to either side, in a box around a box turned by 1.3 degrees each.
  for (const edgeM of [dsm.width * dsm.cellM, dsm.height * dsm.cellM]) {
    expect(edgeM).toBeGreaterThan(53.9);
    expect(edgeM).toBeLessThan(57.5);
  }
  const groundM = GROUND_HEIGHT_M - origin.heightM;
  let netM3 = 0;
  for (const z of dsm.elevationM) if (z > groundM) netM3 += (z - groundM) * dsm.cellM ** 2;
  expect(Math.abs(netM3 / coneM3(3.6) - 1)).toBeLessThan(0.003);
});

it("a raster that is too large as a whole is read around what is asked for, a smaller one whole", async () => {
  const largeExtent = extentAround(HEAP_FOOTPRINT, 20);
  const large = await readElevation(path, { largeExtent });
  expect(large.findings).toEqual([]);
  expect(large.dsm.cellM).toBeCloseTo(CELL_M, 3);
  expect(large.dsm.width * large.dsm.cellM).toBeLessThan(57.5);
  const small = join(dir, "whole.tif");
  await writeHeapRaster(small, { side: 400 });
  const whole = await readElevation(small, { largeExtent });
  expect(whole.dsm.width * whole.dsm.cellM).toBeGreaterThan(100);
});

it("a footprint beside the raster is refused by its gate", async () => {
  const beside = HEAP_FOOTPRINT.map(([lon, lat]) => [lon - 0.05, lat] as const);
  const { origin, dsm } = await readElevation(path, { extent: extentAround(beside, 20) });
  expect(dsm.width * dsm.height).toBeLessThan(100_000);
  const facts = { origin, dsm, georeferencing: "given", gsdM: dsm.cellM } as const;
  const survey = { ...facts, block: undefined, cameras: [] };
  expect(() => measureVolume(heapInput({}, { survey, footprint: beside }))).toThrow(
    /POLYGON_OUTSIDE/,
  );
});

it("a raster without a footprint is averaged in squares, and a fill is not averaged into heights", async () => {
  const small = join(dir, "small.tif");
  await writeHeapRaster(small, { value: (z, x) => (x > 9.1 ? -9_999 : z) });
  const raster = await openRaster(small);
  try {
    const scale = await heightScale(raster);
    const window = windowOf(raster, undefined);
    const { heights, columns, rows, step } = await readHeights(raster, scale, window, 1_200);
    expect([columns, rows, step]).toEqual([34, 34, 3]);
    // Every square is either of heights alone or has the fill's value.
    const between = heights.filter((z) => z < GROUND_HEIGHT_M - 0.01 && z !== -9_999);
    expect(between).toHaveLength(0);
    const above = heights.reduce((sum, z) => sum + Math.max(0, z - GROUND_HEIGHT_M), 0);
    expect(Math.abs((above * 0.75 ** 2) / coneM3(3.6) - 1)).toBeLessThan(0.01);
  } finally {
    await raster.close();
  }
});
