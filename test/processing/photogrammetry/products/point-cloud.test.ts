import { createRequire } from "node:module";
import { createLazPerf } from "laz-perf";
import { expect, it } from "vitest";
import type { PointRaster } from "../../../../processing/photogrammetry/products/point-cloud/point-raster.ts";
import { writeCopc } from "../../../../processing/photogrammetry/products/point-cloud/write-copc.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { someOf } from "../../../support/some-of.ts";

const WIDTH = 300;
const HEIGHT = 210;
const FRAME = {
  epsg: 32_630,
  projection: "WGS 84 / UTM zone 30N",
  unitM: 1,
  westM: 699_999.6,
  northM: 5_710_000.2,
  cellM: 0.4,
  width: WIDTH,
  height: HEIGHT,
};

/** Rough ground with a step, a hole, grey and coloured points, and two classes. */
function rasterOf(seed: number): PointRaster {
  const random = seededRandom(seed);
  const heightM = new Float32Array(WIDTH * HEIGHT);
  const rgba = new Uint8Array(4 * WIDTH * HEIGHT);
  const classes = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0; i < heightM.length; i += 1) {
    const col = i % WIDTH;
    const row = (i - col) / WIDTH;
    const isHole = (col - 150) ** 2 + (row - 90) ** 2 < 400;
    heightM[i] = isHole
      ? Number.NaN
      : -3 + 40 * Number(col > 200) + random() * (row > 100 ? 9 : 0.01);
    const grey = Math.floor(random() * 256);
    const isGrey = random() < 0.3;
    rgba.set(isGrey ? [grey, grey, grey, 255] : [grey, random() * 256, random() * 256, 255], 4 * i);
    classes[i] = random() < 0.2 ? 1 : 2;
  }
  return { frame: FRAME, heightM, rgba, classes };
}

/** Points of a LAZ file by laz-perf, which shares no code with the writer. */
async function readPoints(file: Uint8Array): Promise<DataView> {
  const wasm = createRequire(import.meta.url).resolve("laz-perf/lib/node/laz-perf.wasm");
  const lazPerf = await createLazPerf({ locateFile: () => wasm });
  const at = lazPerf._malloc(file.length);
  lazPerf.HEAPU8.set(file, at);
  const zip = new lazPerf.LASZip();
  zip.open(at, file.length);
  const length = zip.getPointLength();
  const count = zip.getCount();
  const out = new Uint8Array(count * length);
  const one = lazPerf._malloc(length);
  for (let i = 0; i < count; i += 1) {
    zip.getPoint(one);
    out.set(lazPerf.HEAPU8.subarray(one, one + length), i * length);
  }
  zip.delete();
  return new DataView(out.buffer);
}

it.each(
  someOf([1, 2]),
)("a LAZ reader gets every point, class and colour back (seed %i)", async (seed) => {
  const raster = rasterOf(seed);
  const file = writeCopc(raster, "PROJCS[]") ?? new Uint8Array();
  const points = await readPoints(file);
  const known = raster.heightM.filter((z) => !Number.isNaN(z)).length;
  expect(points.byteLength).toBe(known * 36);
  const head = new DataView(file.buffer, file.byteOffset);
  const seen = new Set<number>();
  let worst = 0;
  let wrong = 0;
  for (let at = 0; at < points.byteLength; at += 36) {
    const [x = 0, y = 0, z = 0] = [0, 1, 2].map(
      (k) =>
        points.getInt32(at + 4 * k, true) * head.getFloat64(131 + 8 * k, true) +
        head.getFloat64(155 + 8 * k, true),
    );
    const col = Math.floor((x - FRAME.westM) / FRAME.cellM);
    const row = Math.floor((FRAME.northM - y) / FRAME.cellM);
    const cell = row * WIDTH + col;
    seen.add(cell);
    worst = Math.max(worst, Math.abs(z - (raster.heightM[cell] ?? Number.NaN)));
    if (points.getUint8(at + 16) !== raster.classes[cell]) wrong += 1;
    for (let k = 0; k < 3; k += 1) {
      if (points.getUint16(at + 30 + 2 * k, true) >> 8 !== raster.rgba?.[4 * cell + k]) wrong += 1;
    }
  }
  expect(seen.size).toBe(known);
  expect(worst).toBeLessThan(0.000_51);
  expect(wrong).toBe(0);
});

it("the octree's pages name every point once, each chunk within the file", () => {
  const file = writeCopc(rasterOf(4), "PROJCS[]") ?? new Uint8Array();
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  // COPC 1.0: the info record is the first one, 54 bytes behind the header.
  expect(Buffer.from(file.subarray(377, 381)).toString()).toBe("copc");
  const at = Number(view.getBigUint64(429 + 40, true));
  const bytes = Number(view.getBigUint64(429 + 48, true));
  const keys = new Set<string>();
  let points = 0;
  for (let entry = at; entry < at + bytes; entry += 32) {
    const key = [0, 4, 8, 12].map((k) => view.getInt32(entry + k, true));
    keys.add(key.join("-"));
    points += view.getInt32(entry + 28, true);
    const offset = Number(view.getBigUint64(entry + 16, true));
    expect(offset + view.getInt32(entry + 24, true)).toBeLessThan(at);
  }
  expect(points).toBe(Number(view.getBigUint64(247, true)));
  for (const key of keys) {
    const [level = 0, ...place] = key.split("-").map(Number);
    if (level > 0) expect(keys).toContain([level - 1, ...place.map((k) => k >> 1)].join("-"));
  }
});

it("a raster without heights makes no file", () => {
  const raster = rasterOf(5);
  expect(writeCopc({ ...raster, heightM: raster.heightM.fill(Number.NaN) }, "")).toBeUndefined();
});
