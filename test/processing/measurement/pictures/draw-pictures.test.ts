import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { ElevationGrid } from "../../../../processing/grid/elevation-grid.ts";
import type { PlanPolygon } from "../../../../processing/grid/polygon-weights.ts";
import { changeMap } from "../../../../processing/measurement/pictures/change-map.ts";
import { drawPictures } from "../../../../processing/measurement/pictures/draw-pictures.ts";
import { heightMap } from "../../../../processing/measurement/pictures/height-map.ts";
import { hillshadeMap } from "../../../../processing/measurement/pictures/hillshade-map.ts";
import { planOf } from "../../../../processing/measurement/pictures/pile-plan.ts";
import { pileWindow } from "../../../../processing/measurement/pictures/pile-window.ts";
import { tickStep } from "../../../../processing/page/ticks.ts";
import { paleViridis, redBlue } from "../../../../processing/pictures/colour-ramp.ts";
import { drawScale } from "../../../../processing/pictures/legend.ts";
import {
  blankPicture,
  type Colour,
  type Picture,
} from "../../../../processing/pictures/picture.ts";
import { levelBase } from "../../../../processing/volume/base/base-surface.ts";
import { surfaceOf } from "../../volume/solids.ts";

const base = levelBase(0);
/** 16 x 8 m. With the margin of 2.4 m: 20.8 x 12.8 m on 1,000 x 615 pixels. */
const footprint = box(8, 4);
const LEVEL_GREY = Math.round(255 * (128 / 255) ** 0.45);

function box(halfX: number, halfY: number): PlanPolygon {
  return [
    [-halfX, -halfY],
    [halfX, -halfY],
    [halfX, halfY],
    [-halfX, halfY],
  ];
}

function gridOf(height: (x: number, y: number) => number): ElevationGrid {
  const field = surfaceOf(0.2, height);
  const cells = field.elevationM.length;
  return {
    ...field,
    score: new Float32Array(cells).fill(1),
    views: new Uint8Array(cells).fill(5),
  };
}

/** Colour of the map at a place in plan. */
function colourAt(picture: Picture, x: number, y: number, polygon = footprint): number[] {
  const window = pileWindow(polygon);
  const left = Math.floor((picture.width - window.width) / 2);
  const col = left + Math.floor((x - window.westM) / window.cellM);
  const row = Math.floor((window.northM - y) / window.cellM);
  return [
    ...picture.rgba.slice((row * picture.width + col) * 4, (row * picture.width + col) * 4 + 3),
  ];
}

/** The colour as whole numbers. */
function whole(colour: Colour): number[] {
  return colour.map(Math.round);
}

/** Steps of level ground: 3 m in the east, 1.5 m in the west. */
const steps = gridOf((x) => (x > 0 ? 3 : 1.5));

describe("the picture of heights", () => {
  it("the picture of heights has the legend's colours on level parts of known height, and grey around the footprint", () => {
    const picture = heightMap(planOf({ grid: steps, base, polygon: footprint }));
    expect(colourAt(picture, 4, 0)).toEqual(whole(paleViridis(1)));
    expect(colourAt(picture, -4, 0)).toEqual(whole(paleViridis(0.5)));
    expect(colourAt(picture, 9.5, 0)).toEqual([LEVEL_GREY, LEVEL_GREY, LEVEL_GREY]);
  });

  it("the picture of heights draws the footprint's line where it is, north up, and no wider than 6 pixels", () => {
    const picture = hillshadeMap(planOf({ grid: steps, base, polygon: footprint }));
    const line = [214, 72, 10];
    for (const [x, y] of [
      [-8, 1],
      [8, -1],
      [3, 4],
      [-3, -4],
    ] as const) {
      expect(colourAt(picture, x, y)).toEqual(line);
      const px = pileWindow(footprint).cellM;
      const out = Math.abs(x) === 8 ? ([x + 5 * px, y] as const) : ([x, y + 5 * px] as const);
      expect(colourAt(picture, out[0], out[1])).toEqual([LEVEL_GREY, LEVEL_GREY, LEVEL_GREY]);
    }
  });

  it("the picture of heights distinguishes no data, interpolated cells and cells below the base", () => {
    const grid = gridOf((x, y) => {
      if (Math.hypot(x + 4, y) < 1) return Number.NaN;
      return x > 3 ? -0.4 : 2;
    });
    const interpolated = Uint8Array.from(grid.elevationM, (_, i) => {
      const x = grid.westM + ((i % grid.width) + 0.5) * 0.2;
      return Math.abs(x) < 1 ? 1 : 0;
    });
    const picture = heightMap(planOf({ grid, base, polygon: footprint, interpolated }));
    const along = (x: number) =>
      Array.from({ length: 40 }, (_, i) => colourAt(picture, x, -0.4 + i * 0.02).join());
    expect(new Set(along(-4))).toEqual(new Set(["255,255,255", "168,174,182"]));
    expect(new Set(along(5))).toEqual(new Set(["196,96,140"]));
    expect(new Set(along(2)).size).toBe(1);
    const hatched = along(0);
    const full = along(2)[0];
    // Lines of 2 in 10 pixels.
    const lines = hatched.filter((colour) => colour !== full).length;
    expect(lines).toBeGreaterThanOrEqual(6);
    expect(lines).toBeLessThanOrEqual(10);
    // One more row, for the boxes that say so.
    const plain = heightMap(planOf({ grid: steps, base, polygon: footprint }));
    expect(picture.height - plain.height).toBe(34);
  });
});

describe("the picture of change", () => {
  it("the picture of change is blue where 1 m was added, red where 1 m was removed, neutral within the noise", () => {
    const plan = planOf({
      grid: gridOf((x, y) => (Math.abs(y) < 4 && Math.abs(x) < 8 ? 2 + Math.sign(x) : 0.02)),
      base,
      polygon: footprint,
    });
    const before = surfaceOf(0.2, (x, y) => (Math.abs(y) < 4 && Math.abs(x) < 8 ? 2 : 0));
    const picture = changeMap(plan, before);
    expect(colourAt(picture, 4, 0)).toEqual(whole(redBlue(1)));
    expect(colourAt(picture, -4, 0)).toEqual(whole(redBlue(0)));
    // 2 cm on ground that differs by 2 cm all over: 1.96 x 1.4826 x 2 cm = 5.8 cm of noise.
    expect(colourAt(picture, 9.5, 0)).toEqual([236, 237, 239]);
  });

  it("the picture of change has no data where the earlier surface has none", () => {
    const plan = planOf({ grid: steps, base, polygon: footprint });
    const picture = changeMap(
      plan,
      surfaceOf(0.2, (x) => (x > 0 ? Number.NaN : 1.5)),
    );
    expect([
      [255, 255, 255],
      [168, 174, 182],
    ]).toContainEqual(colourAt(picture, 4, 0));
    expect(colourAt(picture, -4, 0)).toEqual([236, 237, 239]);
  });
});

describe("drawPictures", () => {
  it("drawPictures yields PNG, 800 to 1,200 pixels at the longer edge, for wide, tall, small and large footprints", async () => {
    const input = { grid: steps, base };
    const { hillshade, heights, change } = await drawPictures({ ...input, polygon: box(8, 4) });
    expect(change).toBeUndefined();
    for (const bytes of [hillshade, heights]) {
      const { format, width, height } = await sharp(bytes).metadata();
      // 615 rows and the strip of 84.
      expect([format, width, height]).toEqual(["png", 1_000, 699]);
    }
    for (const [halfX, halfY] of [
      [0.5, 9],
      [60, 0.4],
      [0.05, 0.05],
      [900, 700],
    ] as const) {
      const { width, height } = hillshadeMap(planOf({ ...input, polygon: box(halfX, halfY) }));
      expect(Math.max(width, height)).toBeGreaterThanOrEqual(800);
      expect(Math.max(width, height)).toBeLessThanOrEqual(1_200);
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(200);
    }
  });
});

describe("a legend", () => {
  it("a legend steps by 1, 2 or 5 times a power of ten", () => {
    expect(
      [
        [3, 12],
        [4.4, 12],
        [0.5, 12],
        [70, 12],
        [2, 8],
      ].map(([range = 0, parts = 0]) => tickStep(range, parts)),
    ).toEqual([0.5, 0.5, 0.05, 10, 0.5]);
  });

  it("a legend has its colours from end to end, and ink for every tick", () => {
    const picture = blankPicture(400, 80);
    const scale = {
      title: "m",
      low: 0,
      high: 4,
      step: 1,
      colour: (v: number) => paleViridis(v / 4),
    };
    drawScale(picture, scale, { left: 40, top: 5, width: 320 });
    const at = (x: number, y: number) => [
      ...picture.rgba.slice((y * 400 + x) * 4, (y * 400 + x) * 4 + 3),
    ];
    expect(at(40, 30)).toEqual(whole(paleViridis(0.5 / 320)));
    expect(at(359, 30)).toEqual(whole(paleViridis(319.5 / 320)));
    const ticks = Array.from({ length: 400 }, (_, x) => x).filter((x) => at(x, 42)[0] === 30);
    expect(ticks).toEqual([39, 40, 119, 120, 199, 200, 279, 280, 359, 360]);
  });
});
