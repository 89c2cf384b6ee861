import { describe, expect, it } from "vitest";
import { utmAt } from "../../../../../processing/coordinates/utm.ts";
import { createEnuFrame } from "../../../../../processing/geometry/enu.ts";
import type { ElevationGrid, OrthoGrid } from "../../../../../processing/grid/elevation-grid.ts";
import { mapGrid } from "../../../../../processing/photogrammetry/products/map/map-grid.ts";
import {
  elevationOnMap,
  orthoOnMap,
} from "../../../../../processing/photogrammetry/products/resample-products.ts";

describe("UTM zone of a place", () => {
  it.each([
    ["London", -0.12, 51.5, 32_630],
    ["Sydney", 151.2, -33.9, 32_756],
    ["Bergen, in the widened zone 32", 5.3, 60.4, 32_632],
    ["Longyearbyen, in zone 33 instead of 34", 15.6, 78.2, 32_633],
    ["the antimeridian, from the west", 180, 10, 32_660],
    ["the antimeridian, from the east", -180, 10, 32_601],
  ])("%s", (_, lonDeg, latDeg, epsg) => {
    expect(utmAt({ lonDeg, latDeg }).epsg).toBe(epsg);
  });
});

describe("raster on the map", () => {
  const origin = { latDeg: 51.5, lonDeg: -0.12, heightM: 30 };
  const source = { westM: -1000, northM: 900, cellM: 2, width: 1000, height: 900 };
  const grid = mapGrid(origin, source, 5, 2);

  it("a raster on the map finds its cells in the survey's frame within 1 mm over 2 km", () => {
    const enu = createEnuFrame(origin);
    const utm = utmAt(origin);
    const point = { x: 0, y: 0, lift: 0 };
    const errors: number[] = [];
    for (const [x, y] of [
      [-990, -890],
      [0, 0],
      [400, -700],
      [990, 890],
    ] as const) {
      const place = enu.toGeodetic([x, y, 5]);
      const [east, north] = utm.toMap(place);
      grid.locate((east - grid.frame.westM) / 2, (grid.frame.northM - north) / 2, point);
      errors.push(Math.hypot(point.x - x, point.y - y));
      // Up is measured on the tangent plane: the ellipsoid falls away by r2 / 2R.
      const fall = (x * x + y * y) / (2 * 6_378_000);
      expect(point.lift - 30).toBeGreaterThan(fall * 0.98 - 1e-6);
      expect(point.lift - 30).toBeLessThan(fall * 1.02 + 1e-6);
    }
    expect(Math.max(...errors)).toBeLessThan(0.001);
    expect(grid.errorM).toBeLessThan(0.001);
  });

  it("a raster on the map turns the survey's frame by the convergence of the meridians, 2.25 degrees here", () => {
    const [a, b] = [
      { x: 0, y: 0, lift: 0 },
      { x: 0, y: 0, lift: 0 },
    ];
    grid.locate(450, 800, a);
    grid.locate(450, 100, b);
    // gamma = atan(tan(lon - lon0) sin(lat)), Snyder 1987 eq. 8-15; lon0 = -3.
    const degree = Math.PI / 180;
    const gamma = Math.atan(Math.tan(2.88 * degree) * Math.sin(51.5 * degree));
    // East of the central meridian grid north points to the east of true north.
    expect(Math.atan2(b.x - a.x, b.y - a.y)).toBeCloseTo(gamma, 3);
  });

  it("covers the source, on whole cells of the map", () => {
    const { frame } = grid;
    expect([frame.westM / 2, frame.northM / 2].every(Number.isInteger)).toBe(true);
    const enu = createEnuFrame(origin);
    const [east, north] = utmAt(origin).toMap(enu.toGeodetic([1000, 900, 5]));
    expect(east).toBeLessThanOrEqual(frame.westM + frame.width * 2);
    expect(north).toBeLessThanOrEqual(frame.northM);
  });

  it("a raster on the map keeps a tilted plane to 0.1 mm and holes as holes", () => {
    const small = { westM: -20, northM: 15, cellM: 0.5, width: 80, height: 60 };
    const elevationM = Float32Array.from({ length: 80 * 60 }, (_, i) => {
      const x = -20 + ((i % 80) + 0.5) * 0.5;
      const y = 15 - (Math.floor(i / 80) + 0.5) * 0.5;
      return 2 + 0.1 * x - 0.05 * y;
    });
    elevationM[30 * 80 + 40] = Number.NaN;
    const surface: ElevationGrid = {
      ...small,
      elevationM,
      score: elevationM,
      views: new Uint8Array(elevationM.length),
    };
    const map = mapGrid(origin, small, 2, 0.5);
    const heights = elevationOnMap(surface, map);
    const point = { x: 0, y: 0, lift: 0 };
    let known = 0;
    let worst = 0;
    for (const [i, height] of heights.entries()) {
      const col = i % map.frame.width;
      map.locate(col + 0.5, Math.floor(i / map.frame.width) + 0.5, point);
      // Half a cell within the edge: beyond, the outermost row is continued level.
      if (Math.abs(point.x) > 19.7 || Math.abs(point.y) > 14.7) continue;
      const isHole = Math.abs(point.x - 0.25) < 0.75 && Math.abs(point.y + 0.25) < 0.75;
      if (isHole) continue;
      known += 1;
      worst = Math.max(worst, Math.abs(height - point.lift - (2 + 0.1 * point.x - 0.05 * point.y)));
    }
    expect(known).toBeGreaterThan(4400);
    expect(worst).toBeLessThan(1e-4);
    const holes = heights.filter((z, i) => {
      map.locate((i % map.frame.width) + 0.5, Math.floor(i / map.frame.width) + 0.5, point);
      return Number.isNaN(z) && Math.abs(point.x) < 19 && Math.abs(point.y) < 14;
    });
    expect(holes.length).toBeGreaterThanOrEqual(1);
    expect(holes.length).toBeLessThanOrEqual(2);
  });

  it("a raster on the map keeps an even colour even, and alpha 0 where nothing was seen", () => {
    const small = { westM: -10, northM: 10, cellM: 0.5, width: 40, height: 40 };
    const rgba = new Uint8Array(40 * 40 * 4);
    for (let i = 0; i < 40 * 40; i += 1) {
      if (i % 40 < 20) rgba.set([90, 120, 30, 255], i * 4);
    }
    const ortho: OrthoGrid = { ...small, rgba };
    const colours = new Set<string>();
    const map = orthoOnMap(ortho, mapGrid(origin, small, 0, 0.5));
    for (let i = 0; i < map.length; i += 4) colours.add(map.slice(i, i + 4).join(" "));
    expect([...colours].sort()).toEqual(["0 0 0 0", "90 120 30 255"]);
  });
});
