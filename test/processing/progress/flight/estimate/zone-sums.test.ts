import { describe, expect, it } from "vitest";
import { volumeDone } from "../../../../../processing/progress/flight/estimate/cell-progress.ts";
import type { Detection } from "../../../../../processing/progress/flight/estimate/detection.ts";
import {
  percentInterval,
  unseenTerm,
  volumeTerms,
} from "../../../../../processing/progress/flight/estimate/percent-interval.ts";
import {
  besidePercent,
  doneWork,
  plannedWork,
} from "../../../../../processing/progress/flight/estimate/zone-sums.ts";
import { rowOfCells } from "../cells.ts";

const PLAIN: Detection = { lodM: 0.1, blockLodM: 0.1, blockM: 1, toleranceM: 0.1, allowedM: 0 };

describe("percent of a zone", () => {
  it("the percent of a zone weighs cells by their planned volume: 3 of 4 m3", () => {
    const cells = rowOfCells([
      { now: 3, design: 3 },
      { now: 0, design: 1 },
    ]);
    const done = doneWork(cells, volumeDone(cells, PLAIN), cells.share, "volume");
    expect(done).toMatchObject({ share: 0.75, areaM2: 2, volumeM3: 4 });
    expect(plannedWork(cells)).toEqual({ areaM2: 2, volumeM3: 4, meanLiftM: 2 });
  });

  it("the percent of a zone counts cells at the line by their share inside", () => {
    const cells = rowOfCells([
      { now: 2, design: 2, share: 0.25 },
      { now: 0, design: 2, share: 0.75 },
    ]);
    expect(doneWork(cells, volumeDone(cells, PLAIN), cells.share, "volume").share).toBe(0.25);
  });

  it("the percent of a zone leaves what was not seen out of both sums, and says what was seen", () => {
    const cells = rowOfCells([
      { now: 1, design: 2 },
      { now: Number.NaN, design: 2 },
    ]);
    const done = doneWork(cells, volumeDone(cells, PLAIN), cells.share, "volume");
    expect(done).toMatchObject({ share: 0.5, areaM2: 1, volumeM3: 2 });
    expect(plannedWork(cells).volumeM3).toBe(4);
  });

  it("the percent of a zone does not let 1 m too much in one cell pay for 1 m that lacks in the other", () => {
    const cells = rowOfCells([
      { now: 3, design: 2 },
      { now: 1, design: 2 },
    ]);
    const done = volumeDone(cells, PLAIN);
    expect(doneWork(cells, done, cells.share, "volume").share).toBe(0.75);
    expect(besidePercent(cells, done, cells.share, PLAIN)).toMatchObject({
      overbuildM3: 1,
      undercutM3: 0,
    });
  });

  it("zone sums give what was dug too deep and what went the wrong way", () => {
    const cells = rowOfCells([
      { now: -3, design: -2 },
      { now: 0.5, design: -2 },
    ]);
    const beside = besidePercent(cells, volumeDone(cells, PLAIN), cells.share, PLAIN);
    expect(beside).toMatchObject({ overbuildM3: 0, undercutM3: 1, wrongWayM3: 0.5, atDesign: 0 });
  });
});

describe("the interval", () => {
  /** docs/progress-method.md#surfaces, worked example: 1,000 m2, 0.03 m of bias: 59 m3 at 95 %. */
  const terms = (volumeM3: number) =>
    volumeTerms({
      ...{ areaM2: 1_000, volumeM3, share: 0.5, biasSigmaM: 0.03, cellSigmaM: 0, cellM: 0.1 },
      designSigmaM: 0,
      scaleSigma: 0,
    });

  it("the interval of 3 m of fill is 2 points wide to either side, of 0.3 m it is 20", () => {
    expect(1.96 * terms(3_000).bias).toBeCloseTo(1.96, 6);
    expect(1.96 * terms(300).bias).toBeCloseTo(19.6, 6);
  });

  it("the interval grows with the noise of windows of 7 cells over the root of the area", () => {
    const noisy = volumeTerms({
      ...{ areaM2: 400, volumeM3: 400, share: 0.5, biasSigmaM: 0, cellSigmaM: 0.02, cellM: 0.2 },
      designSigmaM: 0.01,
      scaleSigma: 0.01,
    });
    // 20 m x 7 x 0.2 m x 0.02 m = 0.56 m3; half of 4 m3; half of 1 %.
    expect(noisy.noise).toBeCloseTo(0.14, 9);
    expect(noisy.design).toBeCloseTo(0.5, 9);
    expect(noisy.scale).toBeCloseTo(0.5, 9);
  });

  it("the interval holds 1.96 standard deviations and ends at 0 and 100", () => {
    const flat = { bias: 3, noise: 0, edges: 0, design: 4, scale: 0, place: 0, rim: 0, unseen: 0 };
    const none = { below: 0, above: 0 };
    expect(percentInterval(50, flat, none)[0]).toBeCloseTo(50 - 9.8, 9);
    expect(percentInterval(50, flat, { below: 1, above: 2 })[1]).toBeCloseTo(61.8, 9);
    expect(percentInterval(5, flat, none)[0]).toBe(0);
    expect(percentInterval(95, flat, none)[1]).toBe(100);
  });

  it("the interval is wider by what was not seen: a fifth of a zone that is half finished, half bare", () => {
    expect(unseenTerm(0.8, 0.5)).toBeCloseTo(10, 9);
    expect(unseenTerm(1, 0.5)).toBe(0);
    expect(unseenTerm(0.8, 0)).toBeCloseTo(2, 9);
  });
});
