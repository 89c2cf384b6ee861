import { describe, expect, it } from "vitest";
import { fillGaps } from "../../../../processing/grid/fill-gaps.ts";
import { medianOfKnown } from "../../../../processing/grid/window-median.ts";
import { project } from "../../../../processing/photogrammetry/camera/camera.ts";
import { chooseViews } from "../../../../processing/photogrammetry/dense/choose-views.ts";
import { finishSurface } from "../../../../processing/photogrammetry/dense/finish-surface.ts";
import {
  buildPyramid,
  lensAtLevel,
} from "../../../../processing/photogrammetry/dense/image-pyramid.ts";
import { initialSurface } from "../../../../processing/photogrammetry/dense/initial-surface.ts";
import { resample } from "../../../../processing/photogrammetry/dense/resample.ts";
import { smoothSurface } from "../../../../processing/photogrammetry/dense/smooth.ts";
import { planSurface } from "../../../../processing/photogrammetry/dense/surface-plan.ts";
import { generator, LENS, photograph } from "./scene.ts";

const plane = (x: number, y: number) => 3 + 0.2 * x - 0.1 * y;
const flat = photograph(() => 0, { contrast: 0, noise: 0, paintedM: 0 });

describe("planSurface", () => {
  it("planSurface halves the cells from level to level and covers each level with tiles, once", () => {
    const bounds = { westM: -20, southM: -10, eastM: 20, northM: 10 };
    const plan = planSurface(flat.reconstruction, { cellM: 0.1, bounds });

    expect(plan.gsdM).toBeCloseTo(0.1, 2);
    expect(plan.levels.map(({ frame }) => [frame.cellM, frame.width, frame.height])).toEqual([
      [0.2, 200, 100],
      [0.1, 400, 200],
    ]);
    for (const { frame, tiles } of plan.levels) {
      const covered = new Uint8Array(frame.width * frame.height);
      for (const tile of tiles) {
        for (let y = tile.row; y < tile.row + tile.height; y += 1) {
          for (let x = tile.column; x < tile.column + tile.width; x += 1) {
            covered[y * frame.width + x] = (covered[y * frame.width + x] ?? 0) + 1;
          }
        }
      }
      expect(covered.every((times) => times === 1)).toBe(true);
    }
  });

  it("planSurface takes larger cells when there would be more than asked for", () => {
    const bounds = { westM: 0, southM: 0, eastM: 40, northM: 40 };
    const plan = planSurface(flat.reconstruction, { cellM: 0.1, maxCells: 40_000, bounds });

    expect(plan.levels.at(-1)?.frame).toMatchObject({ cellM: 0.2, width: 200, height: 200 });
  });

  it("planSurface refuses a reconstruction without cameras", () => {
    expect(() => planSurface({ ...flat.reconstruction, cameras: [] })).toThrow(RangeError);
  });
});

describe("initialSurface", () => {
  it("initialSurface follows a slope within 10 cm although every twentieth point is 5 m wrong", () => {
    const random = generator(3);
    const points = Float64Array.from(
      Array.from({ length: 400 }, (_, i) => {
        const [x, y] = [20 * random(), 20 * random()];
        return [x, y, plane(x, y) + (i % 20 === 0 ? 5 : 0)];
      }).flat(),
    );
    const frame = { westM: 2, northM: 18, cellM: 1, width: 16, height: 16 };

    const surface = initialSurface(points, frame);

    // A slope of 0.22 between points 0.5 m apart on average: 10 cm; a point let in would make metres.
    const errors = surface.map((z, i) =>
      Math.abs(z - plane(2.5 + (i % 16), 17.5 - Math.floor(i / 16))),
    );
    expect(errors.filter((error) => error < 0.1).length).toBeGreaterThan(230);
    expect(Math.max(...errors)).toBeLessThan(0.35);
  });
});

describe("chooseViews", () => {
  it("chooseViews begins with the view from above and takes no two of one place while others are there", () => {
    const stations = [
      [6, 0],
      [0, 0],
      [0.2, 0.1],
      [-6, 0],
      [0, 6],
      [0, -6],
      [25, 0],
    ] as const;
    const { cameras } = photograph(() => 0, { stations, paintedM: 0 }).reconstruction;
    const candidates = cameras.map(({ pose }) => ({ pose, lens: LENS }));
    const frame = { westM: -2, northM: 2, cellM: 0.2, width: 20, height: 20 };

    const chosen = chooseViews(candidates, frame, new Float32Array(400));

    expect(chosen[0]).toBe(1);
    expect([...chosen].sort()).toEqual([0, 1, 3, 4, 5]);
  });
});

describe("buildPyramid", () => {
  it("buildPyramid keeps a ramp where it is: the halved image agrees with the halved lens within half a grey level", () => {
    const [width, height] = [400, 300];
    const pixels = Uint8Array.from({ length: width * height }, (_, i) => (i % width) / 2);

    const levels = buildPyramid({ width, height, pixels });

    // A point of the world at column u of the image is at (u + 0.5) / 2 - 0.5 of the halved one.
    expect(levels.map((level) => [level.width, level.height])).toEqual([
      [400, 300],
      [200, 150],
    ]);
    const half = lensAtLevel({ ...LENS, widthPx: 400, heightPx: 300 }, 1);
    const pose = {
      rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
      centre: [0, 0, 0],
    } as const;
    const [full, halved] = [LENS, half].map((lens) => {
      const at = { u: 0, v: 0, depth: 0 };
      project(lens, pose, [0.1, 0.05, 1], at);
      return at.u;
    });
    const column = Math.round(halved ?? 0);
    const ramp = (u: number) => u / 2;
    expect(Math.abs((levels[1]?.pixels[column] ?? 0) - ramp(2 * column + 0.5))).toBeLessThan(0.76);
    expect((halved ?? 0) * 2 + 0.5).toBeCloseTo(full ?? 0, 9);
  });
});

describe("grids between passes", () => {
  it("resamples a plane exactly between the cells' middles and goes on beyond the border", () => {
    const from = { westM: 0, northM: 8, cellM: 1, width: 8, height: 8 };
    const at = (frame: typeof from) =>
      Float32Array.from({ length: frame.width * frame.height }, (_, i) => {
        const x = frame.westM + ((i % frame.width) + 0.5) * frame.cellM;
        const y = frame.northM - (Math.floor(i / frame.width) + 0.5) * frame.cellM;
        return plane(Math.min(7.5, Math.max(0.5, x)), Math.min(7.5, Math.max(0.5, y)));
      });
    const to = { westM: -1, northM: 9, cellM: 0.4, width: 25, height: 25 };

    const found = resample(at(from), from, to);

    const expected = at(to);
    expect(Math.max(...found.map((z, i) => Math.abs(z - (expected[i] ?? 0))))).toBeLessThan(1e-5);
  });

  it("fills gaps between the heights around them and leaves what is known", () => {
    const values = Float32Array.from({ length: 144 }, (_, i) => (i % 12 < 6 ? 1 : 2));
    const gaps = values.map((z, i) => (i % 7 === 0 ? Number.NaN : z));

    const filled = fillGaps(gaps, 12, 12);

    expect(filled.every((z, i) => Number.isNaN(gaps[i]) || z === gaps[i])).toBe(true);
    expect(filled.every((z) => z >= 1 && z <= 2)).toBe(true);
    expect(fillGaps(new Float32Array(4).fill(Number.NaN), 2, 2).every(Number.isNaN)).toBe(true);
  });

  it("the median between passes takes a single wrong height out and keeps no data", () => {
    const values = new Float32Array(25).fill(1);
    values[12] = 9;
    values[3] = Number.NaN;

    const median = medianOfKnown(values, 5, 5, 1);

    expect(median[12]).toBe(1);
    expect([...median].flatMap((z, i) => (Number.isNaN(z) ? [i] : []))).toEqual([3]);
  });

  it("the filter between passes smooths a rough plane and leaves a wall of 2 m as it is", () => {
    const random = generator(11);
    const values = Float32Array.from({ length: 900 }, (_, i) =>
      i % 30 < 15 ? 0.1 * random() : 2 + 0.1 * random(),
    );

    const smooth = smoothSurface(values, 30, 30, 1, 0.3);

    const left = smooth.filter((_, i) => i % 30 < 15);
    // Uniform noise of 0.1 has a deviation of 0.029; the mean of nine has a third of it.
    const mean = left.reduce((sum, z) => sum + z, 0) / left.length;
    const sigma = Math.sqrt(left.reduce((sum, z) => sum + (z - mean) ** 2, 0) / left.length);
    expect(sigma).toBeGreaterThan(0.006);
    expect(sigma).toBeLessThan(0.015);
    expect(smooth.every((z, i) => (i % 30 < 15 ? z < 0.1 : z > 2))).toBe(true);
  });
});

describe("finishSurface", () => {
  const frame = { westM: 0, northM: 6, cellM: 0.1, width: 60, height: 60 };
  const grid = (height: (x: number, y: number) => number) => ({
    ...frame,
    elevationM: Float32Array.from({ length: 3600 }, (_, i) => height(i % 60, Math.floor(i / 60))),
    score: new Float32Array(3600).fill(0.9),
    views: new Uint8Array(3600).fill(5),
  });
  const within = (x: number, y: number, from: number, to: number) =>
    x >= from && x < to && y >= from && y < to;

  it("finishSurface fills a hole of 0.9 m and marks it, and leaves one of 1.1 m and those at the border", () => {
    const surface = grid((x, y) =>
      within(x, y, 5, 14) || within(x, y, 30, 41) || x === 59 ? Number.NaN : 2,
    );

    const finished = finishSurface(surface);

    expect(finished.elevationM[8 * 60 + 8]).toBeCloseTo(2, 6);
    expect(finished.score[8 * 60 + 8]).toBe(0);
    expect(finished.views[8 * 60 + 8]).toBe(0);
    const empty = finished.elevationM.filter(Number.isNaN).length;
    expect(empty).toBe(11 * 11 + 60);
    expect(finished.score.filter(Number.isNaN).length).toBe(empty);
    expect(finished.views[20 * 60 + 20]).toBe(5);
  });

  it("finishSurface removes a patch of 0.49 m2 that lies 1 m above the ground and keeps one of 0.64 m2", () => {
    const surface = grid((x, y) => (within(x, y, 5, 12) || within(x, y, 30, 38) ? 3 : 2));

    const finished = finishSurface(surface);

    expect(finished.elevationM[8 * 60 + 8]).toBeCloseTo(2, 6);
    expect(finished.elevationM[34 * 60 + 34]).toBe(3);
  });
});
