import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  type GeoidPatch,
  readGeoid,
  undulationAt,
} from "../../../processing/coordinates/geoid-grid.ts";
import { useGridFolder } from "../../../processing/coordinates/grid-folder.ts";
import { isProblem } from "../../../processing/coordinates/problem.ts";
import { geoTiffBytes } from "../../support/geotiff-file.ts";

/** Nodes every half degree from 10 to 13 degrees east and 48 to 50 north. */
const [WEST, SOUTH, STEP, COLUMNS, ROWS] = [10, 48, 0.5, 7, 5];
/** Not linear, so that a wrong node or a wrong order shows. */
const nodeM = (lonDeg: number, latDeg: number) => 40 + lonDeg ** 2 / 10 - (latDeg - 48) * lonDeg;

function gtxBytes(heightM = nodeM): Buffer {
  const bytes = Buffer.alloc(40 + 4 * ROWS * COLUMNS);
  [SOUTH, WEST, STEP, STEP].forEach((value, i) => {
    bytes.writeDoubleBE(value, 8 * i);
  });
  bytes.writeInt32BE(ROWS, 32);
  bytes.writeInt32BE(COLUMNS, 36);
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      const value = heightM(WEST + column * STEP, SOUTH + row * STEP);
      bytes.writeFloatBE(value, 40 + 4 * (row * COLUMNS + column));
    }
  }
  return bytes;
}

/** As PROJ distributes them: pixels are points, north row first. */
function tiffBytes(isPoint: boolean): Buffer {
  const half = isPoint ? 0 : STEP / 2;
  const north = SOUTH + (ROWS - 1) * STEP;
  return geoTiffBytes({
    ...{ width: COLUMNS, height: ROWS },
    rows: Array.from({ length: ROWS }, (_, row) =>
      Float32Array.from({ length: COLUMNS }, (_, column) =>
        nodeM(WEST + column * STEP, north - row * STEP),
      ),
    ),
    geoKeys: { 1024: 2, 1025: isPoint ? 2 : 1, 2048: 4326 },
    affine: [STEP, 0, WEST - half, 0, -STEP, north + half],
  });
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "geoids-"));
});
beforeEach(() => useGridFolder(dir));
afterAll(async () => {
  useGridFolder(undefined);
  await rm(dir, { recursive: true });
});

const around = (lonDeg: number, latDeg: number, reach = 0.01) => ({
  ...{ westDeg: lonDeg - reach, eastDeg: lonDeg + reach },
  ...{ southDeg: latDeg - reach, northDeg: latDeg + reach },
});

async function patchOf(name: string, lonDeg: number, latDeg: number): Promise<GeoidPatch> {
  const patch = await readGeoid(name, around(lonDeg, latDeg));
  if (isProblem(patch)) throw new Error(patch.problem);
  return patch;
}

/** Between four nodes by hand: a share of 0.3 to the east and of 0.6 to the north. */
const AT = { lonDeg: 11.15, latDeg: 48.8 } as const;
const BETWEEN =
  0.7 * (0.4 * nodeM(11, 48.5) + 0.6 * nodeM(11, 49)) +
  0.3 * (0.4 * nodeM(11.5, 48.5) + 0.6 * nodeM(11.5, 49));

it.each([
  ["test.gtx", () => gtxBytes()],
  ["points.tif", () => tiffBytes(true)],
  ["areas.tif", () => tiffBytes(false)],
] as const)("%s is interpolated between its four nodes", async (name, bytes) => {
  await writeFile(join(dir, name), bytes());
  const patch = await patchOf(name.toUpperCase(), AT.lonDeg, AT.latDeg);
  expect(patch.columns * patch.rows).toBeLessThan(9);
  expect(undulationAt(patch, AT.lonDeg, AT.latDeg)).toBeCloseTo(BETWEEN, 4);
  expect(undulationAt(patch, 10.2, 49.9)).toBeNaN();
});

it.each([
  ["a place beside the grid", "test.gtx", () => gtxBytes(), 14, 49, /does not cover the place/],
  ["a hole in the grid", "holes.gtx", () => gtxBytes(() => -88.8888), 11, 49, /knows nothing/],
  ["another file", "page.gtx", () => Buffer.from("a page of HTML"), 11, 49, /not a GTX file/],
  [
    "a damaged GeoTIFF",
    "page.tif",
    () => Buffer.from("II*\0 and no more"),
    11,
    49,
    /cannot be read/,
  ],
] as const)("%s is said, and not guessed", async (_, name, bytes, lonDeg, latDeg, message) => {
  await writeFile(join(dir, name), bytes());
  const found = await readGeoid(name, around(lonDeg, latDeg));
  expect(isProblem(found) && found.problem).toMatch(message);
});

it("a grid that the folder does not have is said, and so is a folder that is not there", async () => {
  expect(await readGeoid("none.gtx", around(11, 49))).toMatchObject({
    problem: expect.stringMatching(/not in the folder of grids/),
  });
  useGridFolder(undefined);
  expect(await readGeoid("test.gtx", around(11, 49))).toMatchObject({
    problem: expect.stringMatching(/GRID_DIR/),
  });
});
