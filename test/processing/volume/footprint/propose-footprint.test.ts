import { describe, expect, it } from "vitest";
import type { HeightField } from "../../../../processing/grid/elevation-grid.ts";
import type { PlanPolygon } from "../../../../processing/grid/polygon-weights.ts";
import { fitBasePlane } from "../../../../processing/volume/base/base-plane.ts";
import { proposeFootprint } from "../../../../processing/volume/footprint/propose-footprint.ts";
import { volumeAbove } from "../../../../processing/volume/volume-above.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { CONE, RIDGE } from "../solids.ts";

type Shape = (x: number, y: number) => number;

/** A survey of 50 x 44 m whose middle is the origin, with noise of 2 cm that 3 x 3 cells share in part. */
function surveyOf(cellM: number, shape: Shape, seed = 7): HeightField {
  const [width, height] = [Math.round(50 / cellM), Math.round(44 / cellM)];
  const random = seededRandom(seed);
  const noise = Float32Array.from({ length: width * height }, () => random() + random() - 1);
  const frame = { westM: -25, northM: 22, cellM, width, height };
  const elevationM = noise.map((_, i) => {
    const x = frame.westM + ((i % width) + 0.5) * cellM;
    const y = frame.northM - (Math.floor(i / width) + 0.5) * cellM;
    const shared = (noise[i - 1] ?? 0) + (noise[i] ?? 0) + (noise[i - width] ?? 0);
    return 40 + shape(x, y) + 0.03 * shared;
  });
  return { ...frame, elevationM };
}

/** Tipped loads: the upper envelope of cones; its toe has notches. */
const heap: Shape = (x, y) =>
  Math.max(
    ...[
      [0, 0, 3.6],
      [4.1, 1.2, 2.9],
      [-2.4, 3.9, 2.5],
      [1.2, -4.4, 2.2],
      [-4.2, -1.9, 1.9],
    ].map(([cx = 0, cy = 0, top = 0]) => Math.max(0, top - 0.7 * Math.hypot(x - cx, y - cy))),
  );
/** Ground that falls by 6 % and waves by 12 cm over 14 m, as the simulator's does. */
const slope: Shape = (x, y) => 0.05 * x - 0.033 * y + 0.12 * Math.sin(x / 2.2) * Math.cos(y / 2.3);
const box = (x: number, y: number, cx: number, cy: number, high = 2.6) =>
  Math.abs(x - cx) < 3 && Math.abs(y - cy) < 1.3 ? high : 0;

/** Integral of a shape over the site, by cells of 5 cm. */
function volumeOf(shape: Shape): number {
  let sum = 0;
  for (let y = -15; y < 15; y += 0.05) for (let x = -15; x < 15; x += 0.05) sum += shape(x, y);
  return sum * 0.0025;
}

/** How far outside of a shape's toe (rise of more than 1 cm) each place of a line is, along rays. */
function offToe(line: PlanPolygon, shape: Shape): number[] {
  const middle = [0, 1].map((k) => line.reduce((sum, at) => sum + (at[k] ?? 0), 0) / line.length);
  const [mx = 0, my = 0] = middle;
  return line.map(([x, y]) => {
    const away = Math.hypot(x - mx, y - my);
    const [dx, dy] = [(x - mx) / away, (y - my) / away];
    let toe = 14;
    while (toe > 0 && shape(mx + toe * dx, my + toe * dy) < 0.01) toe -= 0.01;
    return away - toe;
  });
}

const cases: { name: string; pile: Shape; ground: Shape; cellM: number }[] = [
  { name: "a cone on level ground", pile: CONE.height, ground: () => 0, cellM: 0.25 },
  { name: "a ridge on level ground", pile: RIDGE.height, ground: () => 0, cellM: 0.25 },
  { name: "a ridge at cells of 12.5 cm", pile: RIDGE.height, ground: slope, cellM: 0.125 },
  { name: "a cone on waving, sloped ground", pile: CONE.height, ground: slope, cellM: 0.34 },
  { name: "an irregular heap on waving, sloped ground", pile: heap, ground: slope, cellM: 0.25 },
];

describe("proposed footprint", () => {
  it.each(cases)("$name: line beside the toe, volume within 2 %", ({ pile, ground, cellM }) => {
    const surface = surveyOf(cellM, (x, y) => ground(x, y) + pile(x, y));
    const line = proposeFootprint(surface);
    if (line === undefined) throw new Error("nothing proposed");
    expect(line.length).toBeLessThanOrEqual(100);
    const off = offToe(line, pile).sort((a, b) => a - b);
    // It is drawn 0.4 m outside; half a metre more or less for nine in ten vertices, notches aside.
    expect(off[Math.floor(0.05 * off.length)]).toBeGreaterThan(-0.1);
    expect(off[Math.floor(0.95 * off.length)]).toBeLessThan(0.9);
    const base = fitBasePlane(surface, line);
    if (base === undefined) throw new Error("no base");
    const truth = volumeOf(pile);
    const found = volumeAbove(surface, line, base).netM3;
    expect(Math.abs(found / truth - 1)).toBeLessThan(0.02);
    expect(found).not.toBe(truth);
  });

  it("the proposed footprint leaves out a container, and a lorry a metre from the toe", () => {
    const site: Shape = (x, y) =>
      slope(x, y) +
      Math.max(heap(x, y), box(x, y, 12.5, 2), box(x, y, -1, -9.6, 3), box(x, y, 14, -12));
    const line = proposeFootprint(surveyOf(0.25, site));
    if (line === undefined) throw new Error("nothing proposed");
    const off = offToe(line, heap).sort((a, b) => a - b);
    expect(off[Math.floor(0.95 * off.length)]).toBeLessThan(1.1);
    // The boxes begin at x = 9.5 and end at y = -8.3.
    expect(Math.max(...line.map(([x]) => x))).toBeLessThan(9.4);
    expect(Math.min(...line.map(([, y]) => y))).toBeGreaterThan(-8.4);
  });

  it("the proposed footprint is that of the given heap", () => {
    const [west, east] = [-12, 13];
    const pair: Shape = (x, y) =>
      Math.max(CONE.height(x - west, y), 0.8 * CONE.height((x - east) / 0.8, y / 0.8));
    const surface = surveyOf(0.25, pair);
    for (const at of [west, east]) {
      const line = proposeFootprint(surface, { near: [at, 0] });
      const mean = (line ?? []).reduce((sum, [x]) => sum + x, 0) / (line?.length ?? 0);
      expect(Math.abs(mean - at)).toBeLessThan(0.6);
    }
  });

  it("no footprint is proposed where nothing rises above the ground, or only buildings do", () => {
    expect(proposeFootprint(surveyOf(0.25, slope))).toBeUndefined();
    const yard = (x: number, y: number) => slope(x, y) + box(x, y, 2, 3) + box(x, y, -8, -4, 6);
    expect(proposeFootprint(surveyOf(0.25, yard))).toBeUndefined();
    const empty = surveyOf(0.5, slope);
    empty.elevationM.fill(Number.NaN);
    expect(proposeFootprint(empty)).toBeUndefined();
  });

  it("the proposed footprint keeps within what was surveyed around a hole in the pile", () => {
    const surface = surveyOf(0.25, CONE.height);
    surface.elevationM.forEach((_, i) => {
      const x = surface.westM + ((i % surface.width) + 0.5) * surface.cellM;
      const y = surface.northM - (Math.floor(i / surface.width) + 0.5) * surface.cellM;
      if (Math.hypot(x - 1, y + 2) < 1.5) surface.elevationM[i] = Number.NaN;
    });
    const line = proposeFootprint(surface);
    if (line === undefined) throw new Error("nothing proposed");
    const off = offToe(line, CONE.height);
    expect(Math.min(...off)).toBeGreaterThan(-0.3);
    expect(Math.max(...off)).toBeLessThan(0.9);
  });
});
