import { expect, it } from "vitest";
import { contourTexts } from "../../../../processing/photogrammetry/products/contours/contour-files.ts";
import { contourLevels } from "../../../../processing/photogrammetry/products/contours/contour-levels.ts";
import { smoothRaster } from "../../../../processing/photogrammetry/products/contours/smooth-raster.ts";
import { traceContours } from "../../../../processing/photogrammetry/products/contours/trace-contours.ts";
import { mapGrid } from "../../../../processing/photogrammetry/products/map/map-grid.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const SIZE = 60;

/** Hills, pits, saddles and noise, with a hole where nothing is known. */
function terrainOf(seed: number): Float32Array {
  const random = seededRandom(seed);
  const hills = Array.from({ length: 8 }, () => [
    random() * SIZE,
    random() * SIZE,
    4 + random() * 10,
    6 * random() - 3,
  ]);
  return Float32Array.from({ length: SIZE * SIZE }, (_, i) => {
    const col = i % SIZE;
    const row = (i - col) / SIZE;
    if ((col - 20) ** 2 + (row - 40) ** 2 < 30) return Number.NaN;
    const z = hills.reduce(
      (sum, [x = 0, y = 0, r = 1, h = 0]) =>
        sum + h * Math.exp(-((col - x) ** 2 + (row - y) ** 2) / r ** 2),
      0,
    );
    return z + 0.2 * random();
  });
}

type Segment = readonly [number, number, number, number];

function segmentsOf(points: Float64Array): Segment[] {
  const segments: Segment[] = [];
  for (let k = 0; k + 3 < points.length; k += 2) {
    const [a = 0, b = 0, c = 0, d = 0] = points.subarray(k, k + 4);
    segments.push([a, b, c, d]);
  }
  return segments;
}

/** Whether two segments cross between their ends. */
function cross([ax, ay, bx, by]: Segment, [cx, cy, dx, dy]: Segment): boolean {
  const side = (px: number, py: number, qx: number, qy: number, x: number, y: number) =>
    Math.sign((qx - px) * (y - py) - (qy - py) * (x - px));
  return (
    side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) < 0 &&
    side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) < 0
  );
}

it.each([
  11, 12, 13,
])("contours cross neither themselves nor others, and keep out of holes (seed %i)", (seed) => {
  const raster = smoothRaster(terrainOf(seed), SIZE, SIZE);
  const { levelsM } = contourLevels(raster.heightM, 0.25);
  const lines = traceContours(raster, levelsM);
  expect(lines.length).toBeGreaterThan(10);
  const segments = lines.flatMap(({ points }) => segmentsOf(points));
  let crossings = 0;
  for (const [i, one] of segments.entries()) {
    for (const other of segments.slice(i + 1)) {
      if (Math.abs(one[0] - other[0]) < 3 && cross(one, other)) crossings += 1;
    }
  }
  expect(crossings).toBe(0);
  for (const [x, y] of segments) expect((x - 20.5) ** 2 + (y - 40.5) ** 2).toBeGreaterThan(20);
});

it("the contours of a cone are circles of its height", () => {
  const cone = Float32Array.from({ length: SIZE * SIZE }, (_, i) => {
    const col = i % SIZE;
    return 20 - Math.hypot(col - 30, (i - col) / SIZE - 30);
  });
  const raster = smoothRaster(cone, SIZE, SIZE);
  const lines = traceContours(raster, [2, 5, 10, 15]);
  expect(lines.map(({ isClosed }) => isClosed)).toEqual([true, true, true, true]);
  for (const { levelM, points } of lines) {
    for (let k = 0; k < points.length; k += 2) {
      const radius = Math.hypot((points[k] ?? 0) - 30.5, (points[k + 1] ?? 0) - 30.5);
      expect(Math.abs(radius - (20 - levelM))).toBeLessThan(0.15);
    }
  }
});

it.each([
  [3, 0.2],
  [0.4, 0.1],
  [25, 2],
  [90, 5],
])("a relief of %d m has contours every %d m", (reliefM, intervalM) => {
  const heights = Float32Array.from({ length: 1_000 }, (_, i) => (reliefM * i) / 999);
  const found = contourLevels(heights, undefined);
  expect(found.intervalM).toBe(intervalM);
  expect(found.levelsM.at(1)).toBe(intervalM);
  expect(contourLevels(heights, 0.7).intervalM).toBe(0.7);
  expect(contourLevels(heights, 1e-9).levelsM.length).toBeLessThanOrEqual(2_001);
});

it("GeoJSON is longitude before latitude, DXF has the map's coordinates and elevations", () => {
  const origin = { latDeg: 51.5, lonDeg: -0.12, heightM: 30 };
  const grid = { westM: -30, northM: 30, cellM: 1, width: SIZE, height: SIZE };
  const map = mapGrid(origin, grid, 0, 1);
  const { width, height, westM, northM } = map.frame;
  const slope = Float32Array.from({ length: width * height }, (_, i) => 30 + (i % width) / 10);
  const { geojson, dxf } = contourTexts(slope, map, origin, 1);
  const { features } = JSON.parse(geojson);
  expect(features).toHaveLength(6);
  expect(features[1].properties).toEqual({ height_m: 32, index: false, interval_m: 1 });
  for (const [lon, lat] of features[1].geometry.coordinates) {
    expect(Math.abs(lon + 0.12)).toBeLessThan(0.000_5);
    expect(Math.abs(lat - 51.5)).toBeLessThan(0.000_5);
  }
  const codes = dxf.split("\r\n");
  expect(codes.filter((code) => code === "POLYLINE")).toHaveLength(6);
  const first = codes.indexOf("VERTEX");
  const [east, north] = [Number(codes[first + 4]), Number(codes[first + 6])];
  expect(east - westM).toBeCloseTo(10.5, 2);
  expect(north).toBeLessThan(northM);
  expect(codes[first + 8]).toBe("31");
});
