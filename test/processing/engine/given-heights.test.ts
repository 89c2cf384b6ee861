import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readElevation } from "../../../processing/engine/raster/read-surface.ts";
import { measureVolume } from "../../../processing/measurement/surface/measure-volume.ts";
import { givenSurvey } from "../../support/given-survey.ts";
import {
  GROUND_HEIGHT_M,
  type HeapRaster,
  UTM_33,
  writeHeapRaster,
} from "../../support/heap-raster.ts";
import { coneM3, heapInput } from "../../support/heap-survey.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { someOf } from "../../support/some-of.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "heights-"));
});
afterAll(() => rm(dir, { recursive: true }));

const written = (raster: HeapRaster) => writeHeapRaster(join(dir, "heap.tif"), raster);

/** The heap's volume and the names of the warnings. */
async function measured(raster: HeapRaster) {
  const path = await written(raster);
  const { survey, findings } = await givenSurvey(path);
  const { figures } = measureVolume(heapInput({}, { survey }));
  return { netM3: figures.netM3, gates: findings.map(({ gate }) => gate), findings };
}

/** Between the cone and its cells, and in a footprint of 48 corners: 0.1 %. */
const expectHeap = (netM3: number) => expect(Math.abs(netM3 / coneM3(3.6) - 1)).toBeLessThan(0.004);

/** A seventh of the raster, well away from the heap. */
const isEmpty = (x: number) => x > 9;

describe("values that are not heights", () => {
  it.each([
    ["-9999", -9_999],
    ["the least of 32 bits", -3.4028234663852886e38],
    ["-32767", -32_767],
    ["1e20", 1e20],
    ["0", 0],
    ["-99", -99],
  ])("an undeclared no-data value of %s is left out with a warning", async (_, fill) => {
    const { netM3, gates, findings } = await measured({ value: (z, x) => (isEmpty(x) ? fill : z) });
    expectHeap(netM3);
    expect(gates).toEqual(["SURFACE_NO_DATA"]);
    // 12.5 m to either side of the heap: 3.5 of 25 m are empty, and a cell beside them.
    expect(findings[0]?.value).toBeGreaterThan(13);
    expect(findings[0]?.value).toBeLessThan(16);
  });

  it("an undeclared no-data value that resampling mixed into its neighbours is left out with them", async () => {
    const { netM3, gates } = await measured({
      value: (z, x) => (isEmpty(x) ? -9_999 : x > 8.75 ? (z - 9_999) / 2 : z),
    });
    expectHeap(netM3);
    expect(gates).toEqual(["SURFACE_NO_DATA"]);
  });

  it("a declared no-data value is left out without a word", async () => {
    const { netM3, gates } = await measured({
      value: (z, x) => (isEmpty(x) ? -3.4028234663852886e38 : z),
      file: { noData: "-3.40282346638529e+38" },
    });
    expectHeap(netM3);
    expect(gates).toEqual([]);
  });

  it("ground at sea level is not taken for a fill of 0", async () => {
    const { gates, netM3 } = await measured({
      value: (z) => Math.max(0, z - GROUND_HEIGHT_M),
    });
    expectHeap(netM3);
    expect(gates).toEqual([]);
  });

  it("a surface of no-data alone is refused", async () => {
    const path = await written({ side: 40, value: () => -9_999 });
    await expect(readElevation(path)).rejects.toMatchObject({
      code: "IMAGE_REFUSED",
      message: expect.stringContaining("no heights at all"),
    });
  });

  it("spikes and heights far off all others are left out with a warning", async () => {
    const isSpike = (x: number, y: number) => Math.hypot(x - 2, y - 1) < 0.13;
    const { netM3, gates } = await measured({
      value: (z, x, y) => (isSpike(x, y) ? z + 90 : x < -10 && y < -10 ? z + 900 : z),
    });
    expectHeap(netM3);
    expect(gates).toEqual(["SURFACE_HEIGHTS"]);
  });
});

describe("rasters that are not surfaces", () => {
  it("a picture of 8 bits is refused", async () => {
    const random = seededRandom(3);
    const path = await written({
      values: (count) => new Uint8Array(count),
      value: () => Math.floor(256 * random()),
    });
    await expect(readElevation(path)).rejects.toMatchObject({
      code: "IMAGE_REFUSED",
      message: expect.stringMatching(/8 bits a cell, so a picture/),
    });
  });

  it("a picture of 16 bits is refused", async () => {
    const random = seededRandom(4);
    const path = await written({
      values: (count) => new Uint16Array(count),
      value: () => 2_000 + Math.floor(4_000 * random()),
    });
    await expect(readElevation(path)).rejects.toMatchObject({
      code: "IMAGE_REFUSED",
      message: expect.stringMatching(/is not a surface: half of it rises or falls/),
    });
  });
});

describe("heights that were rounded", () => {
  it("whole metres are measured with a warning and an interval that holds the heap", async () => {
    for (const seed of someOf([1, 2, 3])) {
      const offM = seededRandom(seed)();
      const raster: HeapRaster = {
        values: (count) => new Int16Array(count),
        value: (z) => Math.round(z + offM),
      };
      const path = await written(raster);
      const { survey, findings } = await givenSurvey(path);
      expect(findings).toMatchObject([{ gate: "SURFACE_STEPS", value: 1 }]);
      const { figures } = measureVolume(heapInput({}, { survey }));
      const sigmas = Math.abs(figures.netM3 - coneM3(3.6)) / figures.uncertainty.sigmaM3;
      expect(sigmas).toBeLessThan(1.96);
    }
  });

  it("centimetres in whole numbers with a scale are as good as any", async () => {
    const { netM3, gates } = await measured({
      values: (count) => new Int32Array(count),
      value: (z) => Math.round(z * 100),
      file: { band: { scale: "0.01" } },
    });
    expectHeap(netM3);
    expect(gates).toEqual([]);
  });
});

const US_FOOT_M = 1200 / 3937;

describe("units of heights", () => {
  it.each([
    ["US survey feet by VerticalUnitsGeoKey", US_FOOT_M, { 4096: 5_703, 4099: 9_003 }, {}],
    ["US survey feet by the vertical system alone (EPSG:6360)", US_FOOT_M, { 4096: 6_360 }, {}],
    ["feet by the vertical system alone (EPSG:8228)", 0.3048, { 4096: 8_228 }, {}],
    ["feet by GDAL's band unit", 0.3048, {}, { band: { unittype: "ft" } }],
    ["US survey feet by GDAL's band unit", US_FOOT_M, {}, { band: { unittype: "US survey foot" } }],
    ["metres by a compound system (EPSG:5773)", 1, { 4096: 5_773 }, {}],
    ["metres by VerticalUnitsGeoKey", 1, { 4099: 9_001 }, { band: { unittype: "metre" } }],
    ["centimetres by GDAL's band unit", 0.01, {}, { band: { unittype: "cm" } }],
  ])("%s are read as such", async (_, unitM, keys, file) => {
    const { netM3, gates } = await measured({
      geoKeys: { ...UTM_33, ...keys },
      value: (z) => z / unitM,
      file,
    });
    expectHeap(netM3);
    expect(gates).toEqual([]);
  });

  it.each([
    [
      "two units that contradict each other",
      { 4096: 6_360, 4099: 9_001 },
      {},
      /two different units/,
    ],
    ["a unit that is not known", { 4099: 9_014 }, {}, /unit that is not known \(9014\)/],
    ["a band unit that is not known", {}, { band: { unittype: "furlong" } }, /"furlong"/],
    ["depths", { 4096: 6_357 }, {}, /holds depths \(EPSG:6357\)/],
  ])("%s are refused", async (_, keys, file, message) => {
    const path = await written({ side: 40, geoKeys: { ...UTM_33, ...keys }, file });
    await expect(readElevation(path)).rejects.toMatchObject({
      code: "IMAGE_REFUSED",
      message: expect.stringMatching(message),
    });
  });
});

type MapRaster = HeapRaster & { readonly gates?: readonly string[] };

describe("maps", () => {
  const mercator =
    "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +no_defs";
  const tm = "+proj=tmerc +lat_0=50 +lon_0=13 +k=1 +x_0=100000 +y_0=0 +datum=WGS84";
  const lcc =
    "+proj=lcc +lat_1=48 +lat_2=53 +lat_0=51 +lon_0=10 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs";
  const ownSystem = { 1024: 1, 1025: 1, 2048: 32_767, 2050: 6_326, 3072: 32_767, 3074: 32_767 };
  const tmKeys = { ...ownSystem, 3075: 1, 3080: 13, 3081: 50, 3082: 100_000, 3083: 0, 3092: 1 };
  it.each([
    // A metre of Mercator is 0.61 m on the ground there.
    ["Web Mercator", { system: mercator, geoKeys: { 1024: 1, 1025: 1, 3072: 3_857 }, cellM: 0.4 }],
    ["rows turned by 30 degrees", { turnedDeg: 30 }],
    ["rows from south to north", { isSouthUp: true }],
    ["a compound system", { geoKeys: { ...UTM_33, 4096: 7_837 } }],
    [
      "a transverse Mercator of its own",
      { system: `${tm} +units=m`, geoKeys: { ...tmKeys, 3076: 9_001 } },
    ],
    [
      "a transverse Mercator of its own in US survey feet",
      {
        system: `${tm} +units=us-ft`,
        geoKeys: { ...tmKeys, 3076: 9_003, 3082: 100_000 / US_FOOT_M, 4099: 9_001 },
        cellM: 0.8,
      },
    ],
    [
      "a conic of its own",
      {
        system: lcc,
        geoKeys: {
          ...{ ...ownSystem, 3075: 8, 3076: 9_001, 3078: 48, 3079: 53 },
          ...{ 3084: 10, 3085: 51, 3086: 0, 3087: 0 },
        },
      },
    ],
    [
      "a national grid (EPSG:5514, Krovak)",
      {
        system:
          "+proj=krovak +lat_0=49.5 +lon_0=24.8333333333333 +alpha=30.2881397527778 +k=0.9999 " +
          "+x_0=0 +y_0=0 +ellps=bessel +towgs84=589,76,480 +units=m",
        geoKeys: { 1024: 1, 1025: 1, 3072: 5_514 },
        gates: ["SURFACE_PLACE"],
      },
    ],
    [
      "US survey feet in plan and height by a compound system (EPSG:6360)",
      {
        system: `${tm} +units=us-ft`,
        geoKeys: { ...tmKeys, 3076: 9_003, 3082: 100_000 / US_FOOT_M, 4096: 6_360 },
        cellM: 0.8,
        value: (z: number) => z / US_FOOT_M,
      },
    ],
    [
      "a polar projection of its own",
      {
        system: "+proj=stere +lat_0=90 +lat_ts=71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m",
        geoKeys: { ...ownSystem, 3075: 15, 3076: 9_001, 3081: 71, 3095: 0, 3082: 0, 3083: 0 },
        cellM: 0.3,
      },
    ],
  ] as const)("%s: the heap is as large as it is", async (_, raster: MapRaster) => {
    const { netM3, gates } = await measured(raster);
    expectHeap(netM3);
    expect(gates).toEqual(raster.gates ?? []);
  });

  it("plan in feet without a unit of heights is refused", async () => {
    const path = await written({
      side: 40,
      system: `${tm} +units=us-ft`,
      geoKeys: { ...tmKeys, 3076: 9_003, 3082: 100_000 / US_FOOT_M },
    });
    await expect(readElevation(path)).rejects.toMatchObject({
      message: expect.stringMatching(/does not state the unit of its heights/),
    });
  });
});

describe("the interval of a given surface", () => {
  /** Error and half of the 95 % interval, shares of the heap's volume. */
  async function shares(raster: HeapRaster) {
    const { survey } = await givenSurvey(await written(raster));
    const { figures } = measureVolume(heapInput({}, { survey }));
    const volumeM3 = coneM3(3.6);
    return {
      error: Math.abs(figures.netM3 - volumeM3) / volumeM3,
      interval: (1.96 * figures.uncertainty.sigmaM3) / volumeM3,
    };
  }

  it("the interval of a given surface is that of an unverified scale where the surface is exact, whatever its cell", async () => {
    for (const cellM of [0.25, 0.5, 1]) {
      const { interval } = await shares({ cellM, side: 25 / cellM });
      // 3 x 1 % of scale is 5.9 % at 95 %.
      expect(interval).toBeGreaterThan(0.059);
      expect(interval).toBeLessThan(0.07);
    }
  });

  it("the interval of a given surface grows with noise, and holds the heap", async () => {
    for (const seed of someOf([3, 1, 5, 7])) {
      const { error, interval } = await shares({ seed, noiseM: 0.03 + 0.01 * seed });
      expect(interval).toBeGreaterThan(0.065);
      expect(interval).toBeLessThan(0.12);
      expect(error).toBeLessThan(interval);
    }
  });
});
