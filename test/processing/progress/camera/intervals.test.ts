import { describe, expect, it } from "vitest";
import { joinFeatures } from "../../../../processing/progress/camera/features/view-features.ts";
import { FEATURE_COUNT } from "../../../../processing/progress/camera/features/zone-features.ts";
import { forwardErrors } from "../../../../processing/progress/camera/model/forward-errors.ts";
import {
  errorQuantile,
  jackknifeInterval,
} from "../../../../processing/progress/camera/model/jackknife.ts";
import { fitNeighbours } from "../../../../processing/progress/camera/model/neighbours.ts";
import { noveltyOf } from "../../../../processing/progress/camera/model/novelty.ts";
import { weightedMedian } from "../../../../processing/progress/camera/model/weighted-median.ts";
import { zoneModel } from "../../../../processing/progress/camera/model/zone-model.ts";
import { NETWORK_COUNT } from "../../../../processing/progress/camera/network/network-count.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

describe("jackknife+", () => {
  // mu - |r| = 40 36 42 30 44 41 39 43 38; mu + |r| = 60 64 58 70 56 59 61 57 62.
  const without = [50, 50, 50, 50, 50, 50, 50, 50, 50];
  const residuals = [10, -14, 8, 20, 6, -9, 11, 7, -12];

  it("jackknife+ takes the outermost ends of nine examples for 90 %: ranks 1 and 9 of 9", () => {
    expect(jackknifeInterval(without, residuals, 0.9)).toEqual([30, 70]);
  });

  it("jackknife+ takes inner ends where the share is less: of 80 %, ranks 2 and 8", () => {
    expect(jackknifeInterval(without, residuals, 0.8)).toEqual([36, 64]);
  });

  it("jackknife+ lets the models differ: each end is of its own model", () => {
    const apart = [10, 20, 30, 40, 50, 60, 70, 80, 90];
    expect(jackknifeInterval(apart, [1, -2, 3, -4, 5, -6, 7, -8, 9], 0.5)).toEqual([45, 55]);
  });

  it("jackknife+ reaches beyond nine examples for 95 %: as 1.96 to 1.645 standard deviations", () => {
    const [low = 0, high = 0] = jackknifeInterval(without, residuals, 0.95) ?? [];
    expect(low).toBeCloseTo(50 - (20 * 1.96) / 1.645, 1);
    expect(high).toBeCloseTo(50 + (20 * 1.96) / 1.645, 1);
    // 19 examples need no more than their outermost ends.
    const many = Array.from({ length: 19 }, (_, i) => i - 9);
    expect(
      jackknifeInterval(
        many.map(() => 50),
        many,
        0.95,
      ),
    ).toEqual([41, 59]);
    expect(errorQuantile(many, 0.95)).toBe(9);
    expect(errorQuantile(many.slice(0, 8), 0.95)).toBeUndefined();
    // As many as nine that have nothing to do with each other.
    expect(errorQuantile(many, 0.95, 9)).toBeCloseTo((9 * 1.96) / 1.645, 1);
  });

  it("jackknife+ has no end with eight examples", () => {
    expect(jackknifeInterval(without.slice(1), residuals.slice(1), 0.9)).toBeUndefined();
    expect(jackknifeInterval([], [], 0.9)).toBeUndefined();
  });
});

describe("novelty", () => {
  const line = (values: readonly number[]) => values.map((value) => Float64Array.of(value));

  it("novelty is the distance to the nearest label in 95th percentiles of their own", () => {
    // Nearest others: 1 1 1 2: the 95th percentile of four is the largest, 2.
    expect(noveltyOf(line([0, 1, 2, 4]), Float64Array.of(7))).toBe(1.5);
    expect(noveltyOf(line([0, 1, 2, 4]), Float64Array.of(2.5))).toBe(0.25);
  });

  it("novelty is endless where all labels are alike, and 0 at a label", () => {
    expect(noveltyOf(line([3, 3]), Float64Array.of(4))).toBe(Number.POSITIVE_INFINITY);
    expect(noveltyOf(line([3, 3]), Float64Array.of(3))).toBe(0);
  });
});

describe("weighted median", () => {
  it("the weighted median halves the weight", () => {
    expect(weightedMedian([10, 90, 20], [1, 1, 1])).toBe(20);
    expect(weightedMedian([10, 90], [1, 1])).toBe(50);
    expect(weightedMedian([10, 90, 20], [1, 10, 1])).toBe(90);
    expect(weightedMedian([7], [0.01])).toBe(7);
  });
});

/** Labels of a zone whose features rise with its percent, with noise. */
function labelsOf(percents: readonly number[], seed = 1) {
  const random = seededRandom(seed);
  return percents.map((progress, i) => ({
    features: Float32Array.from(
      { length: 6 },
      (_, f) => (progress / 100) * (f + 1) + 0.05 * random(),
    ),
    progress,
    takenAtMs: i * 1_000,
  }));
}

describe("the model of a zone", () => {
  const percents = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90];
  const between = {
    features: labelsOf([45])[0]?.features ?? new Float32Array(6),
    takenAtMs: 4_500,
  };

  it("the model of a zone needs five labels that lie ten points apart", () => {
    expect(zoneModel([])).toEqual({ missing: "0 of at least 5 labels; 9 for an interval" });
    expect(zoneModel(labelsOf([1, 20, 30, 40]))).toMatchObject({
      missing: expect.stringContaining("4 of"),
    });
    expect(zoneModel(labelsOf([5, 5, 5, 5, 5, 5]))).toMatchObject({
      missing: expect.stringContaining("10 points apart"),
    });
  });

  it("the model of a zone estimates without an interval below nine labels", () => {
    const model = zoneModel(labelsOf(percents.slice(0, 8)));
    if ("missing" in model) throw new Error(model.missing);
    const estimate = model.estimate(between);
    expect(estimate.interval).toBeUndefined();
    expect(Math.abs(estimate.progress - 45)).toBeLessThan(5);
    expect(model.isBounded).toBe(false);
  });

  it("the model of a zone bounds a view between labelled ones from nine on; the estimate lies within", () => {
    const model = zoneModel(labelsOf(percents));
    if ("missing" in model) throw new Error(model.missing);
    const { progress, interval } = model.estimate(between);
    const [low = 101, high = -1] = interval ?? [];
    expect(low).toBeLessThanOrEqual(progress);
    expect(high).toBeGreaterThanOrEqual(progress);
    expect(low).toBeLessThanOrEqual(45);
    expect(high).toBeGreaterThanOrEqual(45);
    expect(high - low).toBeLessThan(25);
  });

  it("the model of a zone does not bound a view that is later than ten labels: five forecasts are too few", () => {
    const model = zoneModel(labelsOf(percents));
    if ("missing" in model) throw new Error(model.missing);
    expect(model.estimate({ ...between, takenAtMs: 10_000 }).interval).toBeUndefined();
  });

  it("the model of a zone bounds it by the errors of models of the past once there are nine", () => {
    const many = Array.from({ length: 16 }, (_, i) => 6 * i);
    const model = zoneModel(labelsOf(many));
    if ("missing" in model) throw new Error(model.missing);
    const now = model.estimate({ ...between, takenAtMs: 7_500 });
    const later = model.estimate({ ...between, takenAtMs: 16_000 });
    const width = ([low, high]: readonly [number, number] = [0, -1]) => high - low;
    expect(width(later.interval)).toBeGreaterThanOrEqual(width(now.interval));
    expect(width(later.interval)).toBeGreaterThan(0);
    // Nothing was forecast over so long a time.
    expect(model.estimate({ ...between, takenAtMs: 60_000 }).interval).toBeUndefined();
  });

  it("the model of a zone leaves labels out whose features are not finite, and stays within 0 to 100", () => {
    const broken = labelsOf([50]).map((one) => ({
      ...one,
      features: one.features.map(() => Number.NaN),
    }));
    const model = zoneModel([...labelsOf(percents), ...broken]);
    if ("missing" in model) throw new Error(model.missing);
    expect(model.labels).toBe(10);
    const far = model.estimate({
      features: Float32Array.from({ length: 6 }, (_, f) => 9 * (f + 1)),
      takenAtMs: 4_500,
    });
    expect(far.progress).toBe(100);
    expect(far.novelty).toBeGreaterThan(1);
    expect(far.interval?.[1]).toBe(100);
  });

  it("the model of a zone is made of what the network says, and of all labels by hand while some are older than it", () => {
    const older = labelsOf(percents).map((one) => ({
      ...one,
      features: Float32Array.from({ length: FEATURE_COUNT }, (_, f) => one.features[f % 6] ?? 0),
    }));
    const newer = older.map(({ features, ...rest }, i) => {
      const network = Float32Array.from({ length: NETWORK_COUNT }, () => rest.progress);
      return { ...rest, features: joinFeatures(features, network), takenAtMs: i * 1_000 };
    });
    const made = (labels: Parameters<typeof zoneModel>[0]) => {
      const model = zoneModel(labels);
      if ("missing" in model) throw new Error(model.missing);
      return model;
    };
    expect(made(older)).toMatchObject({ part: "hand_made", labels: 10 });
    expect(made(newer)).toMatchObject({ part: "network", labels: 10 });
    // Eight of the network have no interval, ten of both have one.
    expect(made([...older.slice(0, 2), ...newer.slice(2)])).toMatchObject({
      part: "hand_made",
      labels: 10,
    });
    // Nine of the network have one, and err less: they know the percent itself.
    expect(made([...older.slice(0, 1), ...newer.slice(1)])).toMatchObject({
      part: "network",
      labels: 9,
    });
    const [view] = newer.slice(4, 5);
    expect(view && made(newer).estimate(view).progress).toBeCloseTo(40, 0);
    expect(view && made(older).estimate(view).progress).toBeCloseTo(40, 0);
  });

  it("the model of a zone keeps the newest 120 labels", () => {
    const model = zoneModel(labelsOf(Array.from({ length: 130 }, (_, i) => (i * 7) % 100)));
    expect(model).toMatchObject({ labels: 120 });
  });
});

describe("forward errors", () => {
  it("forward errors are of models that know nothing younger than the time asked for", () => {
    const labels = labelsOf([0, 10, 20, 30, 40, 50, 60, 70]);
    const forward = forwardErrors(labels, { penalty: 1e-3, power: 8, ridgeShare: 0.5 });
    const errors = (sinceMs: number) => forward(sinceMs).errors;
    // Labels 5, 6, 7 have five or more before them; over three steps only 7 has five that are old enough.
    expect(errors(1_000)).toHaveLength(3);
    expect(errors(3_000)).toHaveLength(1);
    expect(errors(4_000)).toHaveLength(0);
    expect(errors(1_000).every((error) => error >= 0 && error <= 100)).toBe(true);
  });

  it("forward errors count as many as there are stretches of that time one after the other", () => {
    const labels = labelsOf(Array.from({ length: 25 }, (_, i) => 4 * i));
    const forward = forwardErrors(labels, { penalty: 1e-3, power: 8, ridgeShare: 0.5 });
    // Labels 5 to 24 are forecast over one step; over five, labels 9 to 24, which are three stretches and an end.
    expect(forward(1_000)).toMatchObject({ independent: 20 });
    expect(forward(5_000)).toMatchObject({ independent: 4 });
    expect(forward(5_000).errors).toHaveLength(16);
    expect(forward(40_000)).toEqual({ errors: [], independent: 0 });
  });
});

describe("the nearest labelled views", () => {
  const line = [0, 1, 3].map((value) => Float64Array.of(value));

  it("the nearest labelled views count by inverse distance: three times as far, a ninth of the weight by the power of 2", () => {
    // Weights 1 of the nearest (at 1), 1/9 each of those at 0 and 3.
    const { at, without } = fitNeighbours(line, [10, 20, 40], 2).predict(Float64Array.of(1.5));
    expect(at).toBeCloseTo((20 + 10 / 9 + 40 / 9) / (11 / 9), 9);
    // Without the nearest the other two are as far as each other.
    expect(without[1]).toBeCloseTo(25, 9);
  });

  it("the nearest labelled views are taken alone at no distance, and left out of their own estimates", () => {
    const near = fitNeighbours(line, [10, 20, 40], 64);
    expect(near.predict(Float64Array.of(3)).at).toBe(40);
    expect(near.looPredictions[0]).toBeCloseTo(20, 9);
  });
});
