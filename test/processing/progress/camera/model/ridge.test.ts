import { describe, expect, it } from "vitest";
import { fitRidge, scaleOf } from "../../../../../processing/progress/camera/model/ridge.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";

/** Solves A x = b by Gauss with pivoting. */
function solve(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const m = a.map((row, i) => [...row, b[i] ?? 0]);
  const n = b.length;
  for (let k = 0; k < n; k++) {
    const p = m
      .slice(k)
      .reduce(
        (best, row, i) => (Math.abs(row[k] ?? 0) > Math.abs(m[best]?.[k] ?? 0) ? k + i : best),
        k,
      );
    [m[k], m[p]] = [m[p] ?? [], m[k] ?? []];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const f = (m[i]?.[k] ?? 0) / (m[k]?.[k] ?? 1);
      m[i] = (m[i] ?? []).map((value, j) => value - f * (m[k]?.[j] ?? 0));
    }
  }
  return m.map((row, i) => (row[n] ?? 0) / (row[i] ?? 1));
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

/** Ridge with an intercept in the primal, from rows that are scaled already. */
function primal(rows: readonly Float64Array[], y: readonly number[], penalty: number) {
  const d = rows[0]?.length ?? 0;
  const xs = rows.map((row) => [...row, 1]);
  const gram = Array.from({ length: d + 1 }, (_, i) =>
    Array.from({ length: d + 1 }, (_v, j) => {
      const sum = xs.reduce((all, x) => all + (x[i] ?? 0) * (x[j] ?? 0), 0);
      return sum + (i === j && i < d ? penalty : 0);
    }),
  );
  const weights = solve(
    gram,
    Array.from({ length: d + 1 }, (_, i) =>
      dot(
        xs.map((x) => x[i] ?? 0),
        y,
      ),
    ),
  );
  return (row: Float64Array) => dot([...row, 1], weights);
}

const random = seededRandom(4);
const features = Array.from({ length: 12 }, () => Float32Array.from({ length: 7 }, () => random()));
const targets = features.map((row) => 50 * (row[0] ?? 0) + 20 * (row[3] ?? 0) + 5 * random());
const view = Float32Array.from({ length: 7 }, () => random());

describe("ridge regression in the dual", () => {
  const penalty = 0.1;
  const model = fitRidge({ features, targets }, [penalty]);
  const scale = scaleOf(features);
  const rows = features.map((row) => scale(row));
  const unit = rows.reduce((sum, row) => sum + dot(row, row), 0) / rows.length;

  it("ridge regression in the dual predicts as the primal does", () => {
    const predicted = primal(rows, targets, penalty * unit)(scale(view));
    expect(Math.abs(model.predict(view).at - predicted)).toBeLessThan(1e-9);
  });

  it("ridge regression in the dual knows what it would say without each example, as when it is left out in truth", () => {
    const { without } = model.predict(view);
    for (const i of features.keys()) {
      const left = primal(
        rows.filter((_, j) => j !== i),
        targets.filter((_, j) => j !== i),
        penalty * unit,
      );
      const own = left(rows[i] ?? new Float64Array());
      expect(Math.abs((model.looPredictions[i] ?? 0) - own)).toBeLessThan(1e-9);
      expect(Math.abs((model.looResiduals[i] ?? 0) - ((targets[i] ?? 0) - own))).toBeLessThan(1e-9);
      expect(Math.abs((without[i] ?? 0) - left(scale(view)))).toBeLessThan(1e-9);
    }
  });

  it("ridge regression in the dual takes the penalty with the least leave-one-out error", () => {
    const penalties = [1e-3, 1e-1, 10];
    const errors = penalties.map((one) =>
      fitRidge({ features, targets }, [one]).looResiduals.reduce((sum, r) => sum + r * r, 0),
    );
    const best = penalties[errors.indexOf(Math.min(...errors))];
    expect(fitRidge({ features, targets }, penalties).penalty).toBe(best);
  });

  it("ridge regression in the dual says the mean where no feature differs", () => {
    const same = features.map(() => new Float32Array(7).fill(3));
    const { at } = fitRidge({ features: same, targets }).predict(view);
    const mean = targets.reduce((sum, y) => sum + y, 0) / targets.length;
    expect(at).toBeCloseTo(mean, 9);
  });

  it("ridge regression in the dual leaves features out that are constant, however large", () => {
    const with1 = features.map((row) => Float32Array.from([...row, 1e6]));
    const predicted = fitRidge({ features: with1, targets }, [penalty]).predict(
      Float32Array.from([...view, 0]),
    );
    const weight = Math.sqrt(7 / 8);
    expect(predicted.at).toBeCloseTo(model.predict(view).at, 6);
    expect(scaleOf(with1)(with1[0] ?? view)[0]).toBeCloseTo(weight * (rows[0]?.[0] ?? 0), 9);
  });

  it("ridge regression accepts equal examples", () => {
    const twice = { features: [...features, ...features], targets: [...targets, ...targets] };
    const { at, without } = fitRidge(twice).predict(view);
    expect([at, ...without].every(Number.isFinite)).toBe(true);
  });

  it("ridge regression in the dual refuses what is not finite, and rows of different lengths", () => {
    const bad = [...features.slice(1), Float32Array.from({ length: 7 }, () => Number.NaN)];
    expect(() => fitRidge({ features: bad, targets })).toThrow("finite");
    expect(() =>
      fitRidge({ features: [...features.slice(1), new Float32Array(3)], targets }),
    ).toThrow("equal lengths");
    expect(() => model.predict(new Float32Array(3))).toThrow("equal lengths");
  });
});
