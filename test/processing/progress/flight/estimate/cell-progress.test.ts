import { describe, expect, it } from "vitest";
import {
  areaDone,
  volumeDone,
} from "../../../../../processing/progress/flight/estimate/cell-progress.ts";
import type { Detection } from "../../../../../processing/progress/flight/estimate/detection.ts";
import { rowOfCells } from "../cells.ts";

/** 0.1 m of a cell, and nothing better of squares. */
const PLAIN: Detection = { lodM: 0.1, blockLodM: 0.1, blockM: 1, toleranceM: 0.1, allowedM: 0 };

describe("the share of a cell's lift that is built", () => {
  it("the share is what is built over what is planned, and at most 1", () => {
    const cells = rowOfCells([
      { now: 0, design: 2 },
      { now: 0.5, design: 2 },
      { now: 1, design: 2 },
      { now: 2, design: 2 },
      { now: 3, design: 2 },
      { now: -1, design: 2 },
    ]);
    expect([...volumeDone(cells, PLAIN)]).toEqual([0, 0.25, 0.5, 1, 1, 0]);
  });

  it("the share of a cell's lift that is built is the same downwards", () => {
    const cells = rowOfCells([
      { now: 10, before: 10, design: 8 },
      { now: 9.5, before: 10, design: 8 },
      { now: 8, before: 10, design: 8 },
      { now: 7, before: 10, design: 8 },
    ]);
    expect([...volumeDone(cells, PLAIN)]).toEqual([0, 0.25, 1, 1]);
  });

  it("the share of a cell's lift that is built is nothing below the level of detection, and all within tolerance of the design", () => {
    const cells = rowOfCells([
      { now: 0.0625, design: 2 },
      { now: 0.125, design: 2 },
      { now: 1.9375, design: 2 },
      { now: 1.875, design: 2 },
    ]);
    expect([...volumeDone(cells, PLAIN)]).toEqual([0, 0.0625, 1, 0.9375]);
  });

  it("the share of a cell's lift that is built counts a layer thinner than that where a whole square rose by it, and one cell that sank along", () => {
    const layer = { ...PLAIN, blockM: 4, blockLodM: 0.02 };
    const cells = rowOfCells([0.0625, 0.125, -0.0625, 0.0625].map((now) => ({ now, design: 0.5 })));
    // The mean is 0.047 m: more than 0.02 m.
    expect([...volumeDone(cells, layer)]).toEqual([0.125, 0.25, -0.125, 0.125]);
    // The same cells where squares are no more precise than cells.
    expect([...volumeDone(cells, { ...layer, blockLodM: 0.1 })]).toEqual([0, 0.25, 0, 0]);
  });

  it("the share of a cell's lift that is built does not take a square that ends short of its design for finished", () => {
    const layer = { ...PLAIN, blockM: 4, blockLodM: 0.02 };
    const cells = rowOfCells([0.4375, 0.4375, 0.5, 0.375].map((now) => ({ now, design: 0.5 })));
    expect([...volumeDone(cells, layer)]).toEqual([0.875, 0.875, 1, 0.75]);
    // Unless the zone allows as much.
    const allowed = { ...layer, allowedM: 0.1 };
    expect([...volumeDone(cells, allowed)]).toEqual([1, 1, 1, 0.75]);
  });

  it("the share of a cell's lift that is built is not known where a surface is not, and where less than 5 cm are planned", () => {
    const cells = rowOfCells([
      { now: Number.NaN, design: 2 },
      { now: 1, before: Number.NaN, design: 2 },
      { now: 1, design: Number.NaN },
      { now: 1, design: 0.04 },
    ]);
    expect([...volumeDone(cells, PLAIN)].every(Number.isNaN)).toBe(true);
    expect([...areaDone(cells, PLAIN)].every(Number.isNaN)).toBe(true);
  });

  it("the share of a cell's lift that is built goes by the nearer end where a lift is so thin that both gates hold a cell", () => {
    const cells = rowOfCells([
      { now: 0.03, design: 0.125 },
      { now: 0.09, design: 0.125 },
    ]);
    expect([...volumeDone(cells, PLAIN)]).toEqual([0, 1]);
  });
});

it("an area is built where it lies within tolerance of its design, neither above nor below", () => {
  const cells = rowOfCells([0, 0.9, 0.95, 1, 1.1, 1.2].map((now) => ({ now, design: 1 })));
  expect([...areaDone(cells, { ...PLAIN, toleranceM: 0.11 })]).toEqual([0, 1, 1, 1, 1, 0]);
});
