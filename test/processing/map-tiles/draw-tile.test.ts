import proj4 from "proj4";
import { describe, expect, it } from "vitest";
import { zoomsOf } from "../../../processing/map-tiles/plan-tile.ts";
import type { TileAddress } from "../../../processing/map-tiles/tile-address.ts";
import {
  type MadeMap,
  openMap,
  orthoFile,
  surfaceFile,
  terrariumM,
  tilePixels,
} from "../../support/map-tile.ts";
import { someOf } from "../../support/some-of.ts";

const MERCATOR_M = Math.PI * 6_378_137;
const RANGE = { lowM: 0, highM: 100, lowestM: -5 };

interface TestMap extends MadeMap {
  readonly name: string;
  /** As PROJ has it; coordinates in metres. */
  readonly proj: string;
}

const around = (
  map: Pick<TestMap, "name" | "epsg" | "proj" | "unitM">,
  lonDeg: number,
  latDeg: number,
  cells = 700,
  cellM = 0.1,
): TestMap => {
  const [east = 0, north = 0] = proj4(map.proj, [lonDeg, latDeg]);
  const [westM, northM] = [Math.round(east - 35), Math.round(north + 35)];
  return { ...map, westM, northM, cellM, width: cells, height: cells - 41 };
};

const UTM_33 = around(
  { name: "UTM zone 33N", epsg: 32_633, proj: "+proj=utm +zone=33 +datum=WGS84 +units=m" },
  13.405,
  52.52,
);
const MAPS: readonly TestMap[] = [
  UTM_33,
  around(
    {
      name: "UTM zone 56S, at the edge of the zone",
      epsg: 32_756,
      proj: "+proj=utm +zone=56 +south +datum=WGS84 +units=m",
    },
    150.02,
    -33.87,
  ),
  around(
    {
      name: "PL-1992, which is not of zones",
      epsg: 2180,
      proj: "+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 +ellps=GRS80 +units=m",
    },
    16.92,
    52.4,
  ),
  around(
    {
      name: "a state plane in US survey feet",
      epsg: 2263,
      unitM: 1_200 / 3_937,
      proj: "+proj=lcc +lat_1=41.03333333333333 +lat_2=40.66666666666666 +lat_0=40.16666666666666 +lon_0=-74 +x_0=300000 +y_0=0 +ellps=GRS80 +units=m",
    },
    -73.97,
    40.76,
  ),
];

/** The place of a pixel's middle by the formulas of EPSG:3857 and PROJ's own projection. */
function mapPlace(proj: string, { z, x, y, size }: TileAddress, column: number, row: number) {
  const span = (2 * MERCATOR_M) / 2 ** z;
  const easting = -MERCATOR_M + (x + (column + 0.5) / size) * span;
  const northing = MERCATOR_M - (y + (row + 0.5) / size) * span;
  const [east = 0, north = 0] = proj4("EPSG:3857", proj, [easting, northing]);
  return { east, north };
}

/** The tile of a zoom that has the middle of a map. */
function middleTile(map: TestMap, z: number, size = 256): TileAddress {
  const middle = [map.westM + 35, map.northM - 33];
  const [x = 0, y = 0] = proj4(map.proj, "EPSG:3857", middle);
  const column = ((x + MERCATOR_M) / (2 * MERCATOR_M)) * 2 ** z;
  const row = ((MERCATOR_M - y) / (2 * MERCATOR_M)) * 2 ** z;
  return { z, x: Math.floor(column), y: Math.floor(row), size };
}

/** Where a place of a map lies in a tile, pixels from its upper left corner. */
function pixelOf(
  proj: string,
  { z, x, y, size }: TileAddress,
  place: readonly number[],
): readonly [column: number, row: number] {
  const [easting = 0, northing = 0] = proj4(proj, "EPSG:3857", [...place]);
  const tiles = 2 ** z / (2 * MERCATOR_M);
  return [
    ((easting + MERCATOR_M) * tiles - x) * size,
    ((MERCATOR_M - northing) * tiles - y) * size,
  ];
}

/** Middle of the light around a pixel, by brightness; `undefined`: it is not all in the tile. */
function brightMiddle(
  pixels: Uint8Array,
  size: number,
  column: number,
  row: number,
): readonly [column: number, row: number] | undefined {
  const reach = 6;
  const [left, top] = [Math.round(column) - reach, Math.round(row) - reach];
  if (left < 0 || top < 0 || left + 2 * reach > size || top + 2 * reach > size) return undefined;
  let [sum, across, down] = [0, 0, 0];
  for (let r = top; r < top + 2 * reach; r += 1) {
    for (let c = left; c < left + 2 * reach; c += 1) {
      const light = pixels[(r * size + c) * 4] ?? 0;
      if (light < 40) continue;
      sum += light;
      across += light * (c + 0.5);
      down += light * (r + 0.5);
    }
  }
  return sum === 0 ? [Number.NaN, Number.NaN] : [across / sum, down / sum];
}

/** Heights that say where they are: metres east and north of a map's corner; exact at every overview. */
const eastward = (map: TestMap) => surfaceFile(map, (east) => east - map.westM);
const northward = (map: TestMap) => surfaceFile(map, (_, north) => map.northM - north);

describe("map tiles", () => {
  describe.each(someOf(MAPS))("of $name", (map) => {
    it.each([
      [17, 256],
      [19, 512],
      [21, 256],
      [22, 512],
      [24, 256],
    ])("pixels of zoom %i and %i px lie within a tenth of a pixel of where PROJ has them", async (z, size) => {
      const address = middleTile(map, z, size);
      const [x, y] = await Promise.all([
        tilePixels(eastward(map), address, "terrain", RANGE),
        tilePixels(northward(map), address, "terrain", RANGE),
      ]);
      if (x === undefined || y === undefined) throw new Error("no tile");
      const pixelM = (2 * MERCATOR_M * 0.7) / 2 ** z / size;
      // Near the edge of the map a cell of an overview is a mean of fewer cells.
      const edgeM = Math.max(2 * map.cellM, 4 * pixelM);
      const [widthM, heightM] = [map.width * map.cellM, map.height * map.cellM];
      let [worstM, pixels] = [0, 0];
      for (let i = 0; i < size * size; i += 7) {
        const place = mapPlace(map.proj, address, i % size, Math.floor(i / size));
        const [dx, dy] = [place.east - map.westM, map.northM - place.north];
        if (dx < edgeM || dy < edgeM || dx > widthM - edgeM || dy > heightM - edgeM) continue;
        pixels += 1;
        worstM = Math.max(worstM, Math.hypot(terrariumM(x, i) - dx, terrariumM(y, i) - dy));
      }
      expect(pixels).toBeGreaterThan(50);
      // Half a step of the encoding, in both directions; then what the meshes bend.
      expect(worstM).toBeLessThan(Math.hypot(1, 1) / 512 + 0.1 * pixelM);
    });
  });

  it("heights of a terrain tile are those of the surface to a 512th of a metre, and no data is as low as the lowest", async () => {
    const isHole = (east: number) => east - UTM_33.westM > 40;
    const file = surfaceFile(UTM_33, (east) => (isHole(east) ? Number.NaN : 81.37));
    const address = middleTile(UTM_33, 19);
    const pixels = await tilePixels(file, address, "terrain", { ...RANGE, lowestM: 70.5 });
    if (pixels === undefined) throw new Error("no tile");
    const found = new Set<number>();
    for (let i = 0; i < 256 * 256; i += 1) found.add(terrariumM(pixels, i));
    expect([...found].toSorted()).toEqual([70.5, Math.round(81.37 * 256) / 256]);
  });

  it.each([
    "hillshade",
    "heights",
  ] as const)("a tile of %s is transparent where there is no data, and only there", async (layer) => {
    const isHole = (east: number, north: number) =>
      east - UTM_33.westM > 30 && UTM_33.northM - north < 30;
    const file = surfaceFile(UTM_33, (east, north) => (isHole(east, north) ? Number.NaN : 50));
    const address = middleTile(UTM_33, 19);
    const pixels = await tilePixels(file, address, layer, RANGE);
    if (pixels === undefined) throw new Error("no tile");
    let wrong = 0;
    let holes = 0;
    for (let i = 0; i < 256 * 256; i += 1) {
      const { east, north } = mapPlace(UTM_33.proj, address, i % 256, Math.floor(i / 256));
      const [dx, dy] = [east - UTM_33.westM, UTM_33.northM - north];
      // Pixels whose place is nearer to an edge than the cell of the overview may be of either side.
      const edges = [dx, dy, dx - 30, dy - 30, 70 - dx, 65.9 - dy];
      if (edges.some((distance) => Math.abs(distance) < 0.5)) continue;
      const isOutside = dx < 0 || dy < 0 || dx > 70 || dy > 65.9;
      const isEmpty = isOutside || isHole(east, north);
      if (isEmpty) holes += 1;
      if ((pixels[i * 4 + 3] === 0) !== isEmpty) wrong += 1;
    }
    expect([holes > 1_000, wrong]).toEqual([true, 0]);
  });

  it("a tile of the orthophoto has the colours of its cells, and lets through what it does not show", async () => {
    const file = orthoFile(UTM_33, (east, north) =>
      UTM_33.northM - north < 20
        ? [0, 0, 0, 0]
        : east - UTM_33.westM < 35
          ? [200, 40, 30, 255]
          : [30, 60, 200, 255],
    );
    const address = middleTile(UTM_33, 20, 512);
    const pixels = await tilePixels(file, address, "orthophoto");
    if (pixels === undefined) throw new Error("no tile");
    let worst = 0;
    const seen = { red: 0, blue: 0, none: 0 };
    for (let i = 0; i < 512 * 512; i += 1) {
      const { east, north } = mapPlace(UTM_33.proj, address, i % 512, Math.floor(i / 512));
      const [dx, dy] = [east - UTM_33.westM, UTM_33.northM - north];
      const distances = [dx, dy, dy - 20, dx - 35, 70 - dx, 65.9 - dy];
      if (distances.some((distance) => Math.abs(distance) < 1.5)) continue;
      const isNone = distances.some((distance, k) => k !== 3 && distance < 0);
      const name = isNone ? "none" : dx < 35 ? "red" : "blue";
      seen[name] += 1;
      const [r = 0, g = 0, b = 0, a = 0] = pixels.subarray(i * 4, i * 4 + 4);
      if (isNone) worst = Math.max(worst, a);
      else {
        const [er, eg, eb] = name === "red" ? [200, 40, 30] : [30, 60, 200];
        worst = Math.max(worst, Math.abs(r - er), Math.abs(g - eg), Math.abs(b - eb), 255 - a);
      }
    }
    expect(Math.min(seen.red, seen.blue, seen.none)).toBeGreaterThan(100);
    expect(worst).toBeLessThan(12);
  });

  it.each(
    someOf([20, 19, 21]),
  )("marks of a grid in UTM are within half a pixel of their places in the orthophoto at zoom %i", async (z) => {
    // White squares of 0.5 m on black, 5 m apart: some lie on the edges of the file's blocks.
    const isMark = (m: number) => Math.abs(m - 5 * Math.round(m / 5)) < 0.25;
    const file = orthoFile(UTM_33, (east, north) =>
      isMark(east - UTM_33.westM) && isMark(UTM_33.northM - north)
        ? [255, 255, 255, 255]
        : [0, 0, 0, 255],
    );
    const middle = middleTile(UTM_33, z);
    let [worstPx, marks] = [0, 0];
    for (const [dx, dy] of [
      [0, 0],
      [-1, 0],
      [0, -1],
      [1, 1],
    ] as const) {
      const address = { ...middle, x: middle.x + dx, y: middle.y + dy };
      const pixels = await tilePixels(file, address, "orthophoto");
      // Those around the one in the middle may lie beside the map.
      if (pixels === undefined) continue;
      for (let east = 5; east < 70; east += 5) {
        for (let south = 5; south < 65; south += 5) {
          const place = [UTM_33.westM + east, UTM_33.northM - south];
          const [column, row] = pixelOf(UTM_33.proj, address, place);
          const found = brightMiddle(pixels, 256, column, row);
          if (found === undefined) continue;
          marks += 1;
          worstPx = Math.max(worstPx, Math.hypot(found[0] - column, found[1] - row));
        }
      }
    }
    expect(marks).toBeGreaterThan(8);
    expect(worstPx).toBeLessThan(0.5);
  });

  it("there is no tile beside a map", async () => {
    const file = eastward(UTM_33);
    const { x, y, z } = middleTile(UTM_33, 20);
    const tile = (change: Partial<TileAddress>) =>
      tilePixels(file, { z, x, y, size: 256, ...change }, "terrain", RANGE);
    expect(await tile({})).toBeDefined();
    for (const change of [{ x: x + 9 }, { x: x - 9 }, { y: y + 9 }, { y: y - 9 }, { x: 0, y: 0 }]) {
      expect(await tile(change)).toBeUndefined();
    }
  });

  it("the zooms of a map go from where it is a spot to where a pixel is one of its cells", async () => {
    // 700 cells of 10 cm: two resolutions. A pixel of zoom 20 is 9.1 cm at 52.52 degrees, one of zoom 19 18.2 cm.
    expect(zoomsOf(await openMap(eastward(UTM_33)))).toEqual({ least: 14, most: 20 });
  });

  it("a block that is damaged fails its tile by name, and a file of another writer its map", async () => {
    const file = eastward(UTM_33);
    const raster = await openMap(file);
    const broken = Uint8Array.from(file);
    const [offset = 0] = Array.from(raster.levels[0]?.offsets ?? []);
    broken.fill(7, offset, offset + 64);
    const address = middleTile(UTM_33, 24);
    await expect(tilePixels(broken, address, "terrain", RANGE)).rejects.toMatchObject({
      code: "IMAGE_REFUSED",
      message: "the raster has a block that is damaged",
    });
    await expect(openMap(file.subarray(0, 300))).rejects.toMatchObject({ code: "IMAGE_REFUSED" });
    await expect(openMap(new TextEncoder().encode("II*\0not a TIFF"))).rejects.toMatchObject({
      code: "IMAGE_REFUSED",
    });
  });
});
