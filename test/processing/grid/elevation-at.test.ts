import { describe, expect, it } from "vitest";
import {
  elevationAt,
  heightRangeUnder,
  resampleElevation,
} from "../../../processing/grid/elevation-at.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const random = seededRandom(11);
/** Rough ground with holes. */
const surface = {
  westM: -7.3,
  northM: 12.1,
  cellM: 0.4,
  width: 31,
  height: 23,
  elevationM: Float32Array.from({ length: 31 * 23 }, () =>
    random() < 0.1 ? Number.NaN : 20 * random(),
  ),
};
/** Finer cells that begin outside of it on every side. */
const frame = { westM: -8, northM: 13, cellM: 0.13, width: 110, height: 90 };

describe("resampleElevation", () => {
  it("is the height at the middle of each cell, to the bit, holes and outside included", () => {
    const heights = resampleElevation(surface, frame);
    const wanted = heights.map((_, i) => {
      const x = frame.westM + ((i % frame.width) + 0.5) * frame.cellM;
      const y = frame.northM - (Math.floor(i / frame.width) + 0.5) * frame.cellM;
      return elevationAt(surface, x, y);
    });
    expect(wanted.some(Number.isNaN)).toBe(true);
    expect(wanted.filter(Number.isFinite).length).toBeGreaterThan(5000);
    expect(heights).toEqual(wanted);
  });
});

describe("heightRangeUnder", () => {
  it("holds every height of any part of the frame", () => {
    for (let part = 0; part < 50; part += 1) {
      const [col, row] = [Math.floor(90 * random()), Math.floor(70 * random())];
      const place = {
        westM: frame.westM + col * frame.cellM,
        northM: frame.northM - row * frame.cellM,
        cellM: frame.cellM,
        width: 1 + Math.floor(19 * random()),
        height: 1 + Math.floor(19 * random()),
      };
      const [lowM, highM] = heightRangeUnder(surface, place);
      const heights = resampleElevation(surface, place).filter(Number.isFinite);
      expect(heights.filter((z) => z < lowM || z > highM)).toEqual(new Float32Array());
    }
  });

  it("has its first above its second where no cell has data", () => {
    const [lowM, highM] = heightRangeUnder(surface, { ...frame, westM: 500 });
    expect(lowM).toBeGreaterThan(highM);
  });
});
