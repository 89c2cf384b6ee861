import { describe, expect, it } from "vitest";
import { createEnuFrame } from "../../../../processing/geometry/enu.ts";
import { clipPolygon } from "../../../../processing/progress/flight/cells/clip-polygon.ts";
import { boxAround, gridOn } from "../../../../processing/progress/flight/cells/lattice.ts";
import { metresInside, sharesOn } from "../../../../processing/progress/flight/cells/zone-cells.ts";
import { withoutRim } from "../../../../processing/progress/flight/cells/zone-rim.ts";
import {
  levelAt,
  rasterAt,
  tinAt,
} from "../../../../processing/progress/flight/registration/surface-source.ts";
import { SITE } from "./flight-site.ts";

const LATTICE = { westM: 100, northM: 200, cellM: 0.5 };

describe("grids of a datum", () => {
  it("grids of a datum have their corners on the lattice and cover the box", () => {
    const box = { westM: 100.7, southM: 197.2, eastM: 102.1, northM: 198.9 };
    expect(gridOn(LATTICE, box, 1_000)).toEqual({
      ...{ westM: 100.5, northM: 199, cellM: 0.5, width: 4, height: 4 },
    });
  });

  it("grids of a datum have larger cells rather than too many, on multiples of theirs", () => {
    const box = { westM: 100.7, southM: 197.2, eastM: 102.1, northM: 198.9 };
    expect(gridOn(LATTICE, box, 5)).toEqual({
      ...{ westM: 100, northM: 200, cellM: 2, width: 2, height: 2 },
    });
    expect(gridOn(LATTICE, box, 1_000, 0.9).cellM).toBe(1);
    const world = boxAround([
      [-1e6, -1e6],
      [1e6, 1e6],
    ]);
    const grid = gridOn(LATTICE, world, 250_000);
    expect(grid.width * grid.height).toBeLessThanOrEqual(250_000);
  });
});

describe("a polygon within a box", () => {
  const BOX = { westM: 0, southM: 0, eastM: 10, northM: 10 };
  const areaOf = (polygon: readonly (readonly [number, number])[]) =>
    Math.abs(
      polygon.reduce((sum, [x, y], i) => {
        const [nextX, nextY] = polygon[(i + 1) % polygon.length] ?? [0, 0];
        return sum + (x * nextY - nextX * y) / 2;
      }, 0),
    );

  it("a polygon within a box is cut at the box's edges: a corner of 5 m by 3 m", () => {
    const cut = clipPolygon(
      [
        [5, 7],
        [50, 7],
        [50, 90],
        [5, 90],
      ],
      BOX,
    );
    expect(areaOf(cut)).toBeCloseTo(15, 9);
  });

  it("a polygon within a box is the box where it holds it, itself inside, and nothing beside it", () => {
    const around = [
      [-5, -5],
      [15, -5],
      [15, 15],
      [-5, 15],
    ] as const;
    const inside = [
      [1, 1],
      [2, 1],
      [2, 2],
    ] as const;
    expect(areaOf(clipPolygon(around, BOX))).toBeCloseTo(100, 9);
    expect(clipPolygon(inside, BOX)).toHaveLength(3);
    const beside = inside.map(([x, y]) => [x + 20, y] as const);
    expect(clipPolygon(beside, BOX)).toEqual([]);
  });

  it("a polygon within a box keeps both arms of a concave one", () => {
    const u = [
      [1, 5],
      [3, 5],
      [3, 20],
      [6, 20],
      [6, 5],
      [8, 5],
      [8, 30],
      [1, 30],
    ] as const;
    expect(areaOf(clipPolygon(u, BOX))).toBeCloseTo(20, 9);
  });
});

describe("surfaces that were given", () => {
  const frame = createEnuFrame(SITE);

  it("surfaces that were given of triangles are linear in them and end at their rim", () => {
    const corners = (
      [
        [0, 0, 0],
        [10, 0, 2],
        [10, 10, 4],
        [0, 10, 2],
      ] as const
    ).map((corner) => frame.toGeodetic(corner));
    const tin = {
      lonDeg: Float64Array.from(corners, ({ lonDeg }) => lonDeg),
      latDeg: Float64Array.from(corners, ({ latDeg }) => latDeg),
      heightM: Float64Array.from(corners, ({ heightM }) => heightM),
      faces: Uint32Array.of(0, 1, 2, 2, 3, 0),
    };
    const heightAt = tinAt(tin, SITE);
    expect(heightAt(5, 2.5)).toBeCloseTo(1.5, 6);
    expect(heightAt(2.5, 7.5)).toBeCloseTo(2, 6);
    expect(heightAt(5, 5)).toBeCloseTo(2, 6);
    expect(heightAt(10.1, 5)).toBeNaN();
    expect(heightAt(-0.1, 5)).toBeNaN();
  });

  it("surfaces that were given of one height fall away from the tangent plane: 2 cm at 500 m", () => {
    const heightAt = levelAt(85, SITE);
    expect(heightAt(0, 0)).toBe(5);
    expect(heightAt(300, 400)).toBeCloseTo(5 - 0.0196, 3);
  });

  it("surfaces that were given of cells are the same places in another frame", () => {
    const other = frame.toGeodetic([100, 50, 3]);
    const dsm = {
      ...{ westM: -120, northM: -30, cellM: 1, width: 40, height: 40 },
      elevationM: new Float32Array(1_600).fill(2),
    };
    // In the other frame 100 m further west, 50 m further south and 3 m lower.
    expect(rasterAt(dsm, other, SITE, 1)(0, 0)).toBeCloseTo(5, 2);
    expect(rasterAt(dsm, other, SITE, 1)(30, 0)).toBeNaN();
  });
});

describe("cells of a zone", () => {
  const FRAME = { westM: 0, northM: 10, cellM: 1, width: 10, height: 10 };
  const SQUARE = [
    [1, 1],
    [9, 1],
    [9, 9],
    [1, 9],
  ] as const;

  it("cells of a zone count with the share of them that lies inside, and none beyond the grid", () => {
    const half = sharesOn(FRAME, [
      [-5, -5],
      [2.5, -5],
      [2.5, 15],
      [-5, 15],
    ]);
    expect([...half.slice(0, 4)]).toEqual([1, 1, 0.5, 0]);
    expect(half.reduce((sum, share) => sum + share, 0)).toBe(25);
  });

  it("cells of a zone know how far from the line they lie: half a metre at it, 3.5 m in the middle", () => {
    const inside = metresInside({ frame: FRAME, share: sharesOn(FRAME, SQUARE) });
    expect([...inside.slice(40, 46)]).toEqual([0, 0.5, 1.5, 2.5, 3.5, 3.5]);
  });

  it("cells of a zone leave out the rim of a wall, none of a batter, and none of a zone that is all rim", () => {
    const share = sharesOn(FRAME, SQUARE);
    const inside = metresInside({ frame: FRAME, share });
    const cells = (design: Float32Array) => ({
      ...{ frame: FRAME, share, design },
      now: new Float32Array(100),
      before: new Float32Array(100),
    });
    const kept = (design: Float32Array, cellM: number) =>
      withoutRim(cells(design), cellM).reduce((sum, one) => sum + one, 0);
    const wall = new Float32Array(100).fill(4);
    // 3 cells of 0.4 m: the outermost ring of 8 x 8 cells goes.
    expect(kept(wall, 0.4)).toBe(36);
    expect(kept(wall, 2)).toBe(64);
    expect(
      kept(
        inside.map((m) => m / 1.5),
        0.4,
      ),
    ).toBe(64);
  });
});
