import { describe, expect, it } from "vitest";
import {
  levelShare,
  levelStates,
  riseOf,
  shareAbove,
} from "../../../../../processing/progress/flight/estimate/level-progress.ts";
import { rowOfCells } from "../cells.ts";

const LEVELS = [
  { name: "Ground floor", top_m: 3, weight: 2 },
  { name: "First floor", top_m: 6, weight: 1 },
  { name: "Roof", top_m: 9, weight: 1 },
];

describe("levels of a building", () => {
  it("levels of a building are seen by the share of their cells at or above their tops", () => {
    const cells = rowOfCells([2.84, 2.86, 3.2, Number.NaN].map((now) => ({ now, design: 9 })));
    // 0.15 m below the top is enough; what was not seen does not count.
    expect(shareAbove(riseOf(cells), cells.share, 3 - 0.15)).toBeCloseTo(2 / 3, 9);
  });

  it("levels of a building count with what is there until nine tenths are", () => {
    const states = levelStates(LEVELS, [0.5, 0, 0], undefined);
    expect(states.map(({ credit }) => credit)).toEqual([0.5, 0, 0]);
    // (2 x 0.5) / 4
    expect(levelShare(states)).toBe(0.25);
  });

  it("levels of a building are capped at 0.9 while they may be formwork", () => {
    const [ground] = levelStates(LEVELS, [1, 0.05, 0], undefined);
    expect(ground).toMatchObject({ credit: 0.9, isComplete: false, isUnconfirmed: true });
  });

  it("are complete when the next level has begun", () => {
    const [ground] = levelStates(LEVELS, [0.95, 0.1, 0], undefined);
    expect(ground).toMatchObject({ credit: 1, isComplete: true, isUnconfirmed: false });
  });

  it("levels of a building are complete when the flight before saw them whole, too", () => {
    const complete = levelStates(LEVELS, [1, 1, 0.95], [1, 1, 0.92]);
    expect(complete.map(({ isComplete }) => isComplete)).toEqual([true, true, true]);
    expect(levelShare(complete)).toBe(1);
    const [, , roof] = levelStates(LEVELS, [1, 1, 0.95], [1, 1, 0.5]);
    expect(roof).toMatchObject({ credit: 0.9, isUnconfirmed: true });
  });

  it("levels of a building are not complete by an earlier flight's word alone", () => {
    const [ground] = levelStates(LEVELS, [0.7, 0, 0], [1, 0, 0]);
    expect(ground).toMatchObject({ credit: 0.7, isComplete: false });
  });
});
