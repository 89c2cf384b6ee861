import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { HeightUnit } from "../../../../../domain/geometry/vertical-datum.ts";
import { createSurfaces } from "../../../../../processing/progress/flight/registration/open-surfaces.ts";
import {
  GROUND_HEIGHT_M,
  type HeapRaster,
  writeHeapRaster,
} from "../../../../support/heap-raster.ts";
import { GROUND_M, heapSurvey, SITE } from "../../../../support/heap-survey.ts";

const FOOT_M = 0.3048;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "open-surfaces-"));
});
afterAll(() => rm(dir, { recursive: true }));

/** A raster opened beside a flight over the heap: its height 10 m east of it, and the gates of its warnings. */
async function opened(name: string, raster: HeapRaster, heightUnit?: HeightUnit) {
  const path = await writeHeapRaster(join(dir, `${name}.tif`), raster);
  const surfaces = createSurfaces(heapSurvey({ cellM: 1 }).dsm, { origin: SITE, id: "cap_1" });
  const choice = { heightUnit };
  const file = {
    kind: "file",
    format: "raster",
    path,
    choice,
    openBytes: 1,
    readBytes: 1,
  } as const;
  const surface = await surfaces.open(file);
  if ("problem" in surface) return { problem: surface.problem };
  const gates = surface.findings.map(({ gate }) => gate);
  return { heightM: surface.heightAt(10, 0), gates };
}

/** Level ground alone: no slope shows a unit. */
const level = (unitM: number): HeapRaster => ({ heightM: 0, value: (z) => z / unitM });

it("a surface in metres that names no unit opens without a warning", async () => {
  const { heightM, gates } = await opened("metres", level(1));
  expect(heightM).toBeCloseTo(GROUND_M, 1);
  expect(gates).toEqual([]);
});

it("level ground in feet of no stated unit is doubted beside the flight", async () => {
  const { heightM, gates } = await opened("feet", level(FOOT_M));
  expect(heightM).toBeCloseTo(GROUND_HEIGHT_M / FOOT_M - SITE.heightM, 0);
  expect(gates).toEqual(["SURFACE_UNIT"]);
});

it("a unit that is said is used", async () => {
  const { heightM, gates } = await opened("said", level(FOOT_M), "ft");
  expect(heightM).toBeCloseTo(GROUND_M, 1);
  expect(gates).toEqual([]);
});

it("a raster whose plan is in feet opens with a unit that is said, and is refused without", async () => {
  const raster: HeapRaster = {
    ...level(1200 / 3937),
    // NAD83 / California zone 3 (ftUS) lies elsewhere: only its unit counts here.
    geoKeys: { 1024: 1, 1025: 1, 3072: 2_227 },
  };
  expect((await opened("plan", raster)).problem).toMatch(/say it beside the file/);
  expect(await opened("plan", raster, "us-ft")).not.toHaveProperty("problem");
});

it("what was left out and rounded in a surface's file is said", async () => {
  const whole: HeapRaster = {
    values: (count) => new Int16Array(count),
    value: (z, x) => (x > 11 ? -9_999 : Math.round(z)),
  };
  const { gates } = await opened("whole", whole);
  expect(gates).toEqual(["SURFACE_NO_DATA", "SURFACE_STEPS"]);
});
