import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { coordinateSystem } from "../../../processing/coordinates/find-coordinate-system.ts";
import { gridFolder, useGridFolder } from "../../../processing/coordinates/grid-folder.ts";
import { ntv2Bytes } from "../../support/ntv2-file.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "grids-"));
});
afterEach(async () => {
  useGridFolder(undefined);
  await rm(dir, { recursive: true });
});

/** Shifts grow by a second a degree to the north and to the east; a part in the middle has 3 seconds more. */
const GERMANY = ntv2Bytes([
  { name: "WEST", box: [6, 47, 12, 55], stepDeg: 1, shift: (lon, lat) => [lat - 47, lon - 6] },
  {
    name: "PART",
    box: [9, 50, 10, 51],
    stepDeg: 0.5,
    shift: (lon, lat) => [lat - 44, lon - 3],
  },
]);

/** By PROJ 9.1, of the file below. */
const WEST = [3426877.468729, 5429492.314137] as const;
const PART = [3542786.104879, 5584743.117401] as const;

describe("grids of datum shifts", () => {
  it("grids of datum shifts shift by the operator's file, as PROJ does, and the warning goes", async () => {
    await writeFile(join(dir, "beta2007.GSB"), GERMANY);
    useGridFolder(dir);
    const system = coordinateSystem("EPSG:31467");
    expect(system.shift).toEqual({ by: "grid", accuracyM: undefined, missingGrids: [] });
    // cs2cs -f %.6f "+proj=longlat +datum=WGS84" "+proj=tmerc +lon_0=9 +x_0=3500000 +ellps=bessel
    // +nadgrids=GRID", PROJ 9.1, of the same file.
    const [x, y] = system.fromGeodetic(8, 49);
    expect([x, y]).toEqual([expect.closeTo(WEST[0], 3), expect.closeTo(WEST[1], 3)]);
    const [partX, partY] = system.fromGeodetic(9.6, 50.4);
    expect([partX, partY]).toEqual([expect.closeTo(PART[0], 3), expect.closeTo(PART[1], 3)]);
    const [lonDeg, latDeg] = system.toGeodetic(...PART);
    expect([lonDeg, latDeg]).toEqual([expect.closeTo(9.6, 8), expect.closeTo(50.4, 8)]);
  });

  it("grids of datum shifts that the folder does not have are named as before", () => {
    useGridFolder(dir);
    expect(coordinateSystem("EPSG:31467").shift).toMatchObject({
      by: "parameters",
      missingGrids: ["BETA2007.gsb"],
    });
    expect(gridFolder()).toEqual({ gridDir: dir });
  });

  it("grids of datum shifts that are something else are refused by name", async () => {
    await writeFile(join(dir, "OSTN15_NTv2_OSGBtoETRS.gsb"), "a page of HTML");
    useGridFolder(dir);
    expect(() => coordinateSystem("EPSG:27700")).toThrow(
      /OSTN15_NTv2_OSGBtoETRS.gsb is not a grid of datum shifts/,
    );
  });
});
