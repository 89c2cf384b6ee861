import { describe, expect, it } from "vitest";
import { MESHES, planPoints } from "../../../processing/scene/plan-points.ts";
import { openMap, orthoFile, surfaceFile } from "../../support/map-tile.ts";
import { SURVEY_MAP } from "../../support/survey-site.ts";

const surface = () => openMap(surfaceFile(SURVEY_MAP, () => 40));
/** The same ground in cells of half the size. */
const FINE = { cellM: 0.05, width: 800, height: 600 };
const fineSurface = () => openMap(surfaceFile({ ...SURVEY_MAP, ...FINE }, () => 40));
const orthophoto = () =>
  openMap(
    orthoFile(
      // From 2 m farther west and north.
      { ...SURVEY_MAP, ...FINE, westM: SURVEY_MAP.westM - 2, northM: SURVEY_MAP.northM + 2 },
      () => [1, 2, 3, 255],
    ),
  );

describe("the points of a survey", () => {
  it("are the cells of the finest resolution that has few enough, and of the coarsest where none has", async () => {
    // 800 x 600 cells, then 400 x 300, which is one block.
    const raster = await fineSurface();
    const levels = [500_000, 200_000, 10].map((most) => planPoints(raster, undefined, most).level);
    expect(levels).toEqual([0, 1, 1]);
  });

  it("lie about the middle of the survey, whatever the resolution", async () => {
    const raster = await fineSurface();
    for (const most of [500_000, 200_000]) {
      const { nodes } = planPoints(raster, undefined, most);
      expect(nodes).toHaveLength((MESHES + 1) ** 2 * 3);
      const [west = 0, north = 0] = nodes;
      const [east = 0, south = 0] = nodes.slice(-3);
      // 40 m by 30 m of the map, turned by 1.3 degrees; UTM makes them 0.3 per mille shorter.
      expect(Math.hypot(east - west, south - north)).toBeCloseTo(50 / 0.999_74, 2);
      expect([(west + east) / 2, (north + south) / 2]).toEqual([
        expect.closeTo(0, 3),
        expect.closeTo(0, 3),
      ]);
    }
  });

  it("have their colours from the cells of the orthophoto that are as large", async () => {
    const { colours } = planPoints(await surface(), await orthophoto(), 200_000);
    // Cells of 0.1 m are the first overview of 0.05 m; its first cell lies 2 m, 20 cells, before the surface's.
    expect(colours?.level).toBe(1);
    const expected = [1, 0, 20, 0, 1, 20].map((value) => expect.closeTo(value, 4));
    expect(colours?.toColour).toEqual(expected);
  });
});
