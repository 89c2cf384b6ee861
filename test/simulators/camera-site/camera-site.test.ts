import { describe, expect, test } from "vitest";
import { done, percentAt } from "../../../simulators/camera-site/building.ts";
import {
  paintCameraSite,
  percentsAt,
  planCameraSite,
  zoneOutlines,
} from "../../../simulators/camera-site/camera-site.ts";
import { buildingState, CELL } from "../../../simulators/camera-site/cells.ts";
import {
  type Conditions,
  drawConditions,
  movedConditions,
  referenceConditions,
} from "../../../simulators/camera-site/conditions.ts";
import type { SitePicture } from "../../../simulators/camera-site/develop.ts";
import { createRandom } from "../../../simulators/randomness/random.ts";

const OPTIONS = { seed: "north", widthPx: 320, heightPx: 180, pictures: 12 };
const site = planCameraSite(OPTIONS);
const still = (): Conditions => ({ ...referenceConditions(createRandom("still")), noise: 0 });
const meanOf = ({ pixels }: SitePicture): number =>
  pixels.reduce((sum, value) => sum + value, 0) / pixels.length;

describe("camera site", () => {
  test("a camera site gives the same bytes for the same seed, and others for another", () => {
    const paint = (seed: string) =>
      paintCameraSite(
        planCameraSite({ ...OPTIONS, seed }),
        [10, 20, 30, 40, 50, 60, 70, 80],
        drawConditions(createRandom("day"), {}),
      ).pixels;
    expect(Buffer.compare(paint("north"), paint("north"))).toBe(0);
    expect(Buffer.compare(paint("north"), paint("south"))).not.toBe(0);
  });

  test("a camera site's percents never fall, from 0 on the first day to 100 on the last", () => {
    for (const building of site.buildings) {
      const percents = Array.from({ length: 101 }, (_, i) => percentAt(building, i / 100));
      expect(percents.at(0)).toBe(0);
      expect(percents.at(-1)).toBeCloseTo(100, 9);
      expect(percents.every((percent, i) => percent >= (percents[i - 1] ?? 0))).toBe(true);
    }
    expect(percentsAt(site, 0.5)).toHaveLength(8);
  });

  test("a camera site takes pictures in order of time, within the time of building", () => {
    expect(site.times).toHaveLength(12);
    expect(site.times.every((time, i) => time >= (site.times[i - 1] ?? 0) && time <= 1)).toBe(true);
  });

  test("a camera site changes a picture only within the outline of the building that rises", () => {
    const conditions = { ...still(), light: { ...still().light, sun: [0, 0, 0] as const } };
    const before = paintCameraSite(site, Array(8).fill(0), conditions);
    for (const [i, outline] of zoneOutlines(site).entries()) {
      const percents = Array.from({ length: 8 }, (_, k) => (k === i ? 70 : 0));
      const after = paintCameraSite(site, percents, conditions);
      const xs = outline.map(([x]) => x * OPTIONS.widthPx);
      const ys = outline.map(([, y]) => y * OPTIONS.heightPx);
      let inside = 0;
      let outside = 0;
      for (let p = 0; p < before.pixels.length; p += 3) {
        if (before.pixels[p] === after.pixels[p]) continue;
        const x = (p / 3) % OPTIONS.widthPx;
        const y = Math.floor(p / 3 / OPTIONS.widthPx);
        const isIn =
          x >= Math.min(...xs) - 6 &&
          x <= Math.max(...xs) + 6 &&
          y >= Math.min(...ys) - 6 &&
          y <= Math.max(...ys) + 6;
        if (isIn) inside += 1;
        else outside += 1;
      }
      expect(inside).toBeGreaterThan(300);
      expect(outside).toBe(0);
    }
  });

  test("a knocked camera moves the picture by the given share of its width", () => {
    const conditions = still();
    const percents = Array<number>(8).fill(60);
    const straight = paintCameraSite(site, percents, conditions);
    const aside = paintCameraSite(site, percents, { ...conditions, panX: 48, panY: 0 });
    expect(movedConditions(createRandom("knock"), 320).panX ** 2).toBeCloseTo(48 ** 2, 9);
    // Rows of the backdrop, above what is built: 48 pixels to the right is 48 pixels further left.
    let same = 0;
    for (let x = 0; x < 272; x += 1) {
      const at = (20 * 320 + x) * 3;
      same += Math.abs((aside.pixels[at] ?? 0) - (straight.pixels[at + 48 * 3] ?? 0)) <= 1 ? 1 : 0;
    }
    expect(same).toBeGreaterThan(250);
  });

  test("a camera site makes night dark, and fog pale in what is far", () => {
    const percents = Array<number>(8).fill(60);
    const paint = (hardship: "night" | "fog") =>
      paintCameraSite(site, percents, drawConditions(createRandom("x"), { hardships: [hardship] }));
    const contrast = (picture: SitePicture): number => {
      const mean = meanOf(picture);
      const squares = picture.pixels.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      return Math.sqrt(squares / picture.pixels.length);
    };
    expect(meanOf(paint("night"))).toBeLessThan(20);
    expect(contrast(paint("fog"))).toBeLessThan(contrast(paintCameraSite(site, percents, still())));
  });
});

describe("building of a camera site", () => {
  const [building] = site.buildings;
  if (building === undefined) throw new Error("no building");

  test("a building of a camera site has nothing at 0 and is clad and glazed all over at 100", () => {
    const nothing = buildingState(building, 0);
    expect([...nothing.cells].every((cell) => cell === CELL.air)).toBe(true);
    const all = buildingState(building, 100);
    expect([...all.cells].every((cell) => cell === CELL.clad)).toBe(true);
    expect([...all.hasPane].every((pane) => pane === 1)).toBe(true);
  });

  test("a building of a camera site never loses what was built", () => {
    let before = buildingState(building, 0);
    let grown = 0;
    for (let percent = 1; percent <= 100; percent += 1) {
      const now = buildingState(building, percent);
      expect(now.cells.every((cell, i) => cell >= (before.cells[i] ?? 0))).toBe(true);
      if (now.cells.some((cell, i) => cell > (before.cells[i] ?? 0))) grown += 1;
      before = now;
    }
    expect(grown).toBeGreaterThan(30);
  });

  test("a building of a camera site counts a phase from its first to its last percent", () => {
    expect([10, 20, 30, 40, 50].map((percent) => done([20, 40], percent))).toEqual([
      0, 0, 0.5, 1, 1,
    ]);
  });
});
