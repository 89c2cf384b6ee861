import { expect, it } from "vitest";
import {
  compose,
  inverse,
  rotationFromVector,
  vectorFromRotation,
} from "../../../../processing/geometry/rotation.ts";
import { adjustBundle } from "../../../../processing/photogrammetry/bundle/bundle-adjust.ts";
import type {
  BundleProblem,
  BundleState,
  Observations,
} from "../../../../processing/photogrammetry/bundle/bundle-problem.ts";
import { bundleSigmas } from "../../../../processing/photogrammetry/bundle/covariance.ts";
import { scaleShares } from "../../../../processing/photogrammetry/bundle/scale-shares.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import {
  picture,
  scaleError,
  surveyNetwork,
  TRUE_LENS,
  type Triple,
} from "../../../support/survey-network.ts";

const CAMERAS = 5;
const SIGMA_PX = 0.5;
const MARK_SIGMA_PX = 1;
const LENSES = [TRUE_LENS, { ...TRUE_LENS, f: 1000, k1: 0.03 }];

/**
 * Five cameras with two lenses, tie points, a control point and a bar from it to a second marked point;
 * priors of every kind. Everything is at the truth; measurements carry `noise` standard deviations.
 */
function smallProblem(noise: number): BundleProblem {
  const { cameras, points, see } = surveyNetwork({
    seed: 3,
    strips: 2,
    perStrip: 2,
    obliques: 1,
    points: 40,
    lenses: LENSES,
  });
  const random = seededRandom(8);
  // Sum of twelve uniform numbers: a standard deviation of 1.
  const gauss = () => Array.from({ length: 12 }, random).reduce((sum, x) => sum + x, -6);
  const noisy = (value: number, sigma: number) => value + noise * sigma * gauss();
  const observe = (targets: readonly Triple[], sigma: number): Observations => {
    const rows = targets.flatMap((target, point) =>
      cameras.flatMap((_, camera) => {
        const pixel = see(camera, target);
        return pixel
          ? [{ point, camera, u: noisy(pixel[0], sigma), v: noisy(pixel[1], sigma) }]
          : [];
      }),
    );
    return {
      point: Int32Array.from(rows, ({ point }) => point),
      camera: Int32Array.from(rows, ({ camera }) => camera),
      u: Float32Array.from(rows, ({ u }) => u),
      v: Float32Array.from(rows, ({ v }) => v),
    };
  };
  const byViews = points.filter((p) => cameras.filter((_, c) => see(c, p)).length >= 3);
  const marked = byViews.slice(0, 2);
  const ties = byViews.slice(2, 16);
  const [a = [0, 0, 0], b = [1, 0, 0]] = marked;
  const numbers = (triples: readonly Triple[]) => Float64Array.from(triples.flat());
  const state: BundleState = {
    rotations: Float64Array.from(cameras.flatMap((c) => [...c.right, ...c.down, ...c.forward])),
    centres: numbers(cameras.map(({ centre }) => centre)),
    lenses: Float64Array.from(LENSES.flatMap((l) => [l.f, l.cx, l.cy, l.k1, l.k2, l.p1, l.p2])),
    bias: new Float64Array(6),
    points: numbers(ties),
    marked: numbers(marked),
  };
  const centreSigma = [1, 1, 2];
  return {
    state,
    cameraLens: Int32Array.from(cameras, ({ lens }) => lens),
    observations: observe(ties, SIGMA_PX),
    marks: observe(marked, MARK_SIGMA_PX),
    markSigmaPx: MARK_SIGMA_PX,
    priors: {
      centres: state.centres.map((c, i) => noisy(c, centreSigma[i % 3] ?? 0)),
      // The last camera has no position.
      centreSigma: Float64Array.from({ length: CAMERAS * 3 }, (_, i) =>
        i < 12 ? (centreSigma[i % 3] ?? 0) : 0,
      ),
      sharesBias: Uint8Array.of(1, 1, 1, 0, 0),
      // The third camera flew on another day.
      biasOf: Int32Array.of(0, 0, 1, -1, -1),
      biasSigma: Float64Array.of(3, 3, 10, 5, 5, 100),
      rotations: state.rotations.slice(),
      rotationSigma: Float64Array.of(0.05, 0.05, 0.05, 0.05, 0),
      lenses: state.lenses.slice(),
      // cx of the second lens is held.
      lensSigma: Float64Array.of(17, 12, 12, 0.1, 0.1, 3e-3, 3e-3, 20, 0, 12, 0.1, 0.1, 3e-3, 3e-3),
      marked: state.marked.slice(),
      markedSigma: Float64Array.of(0.02, 0.02, 0.03, 0, 0, 0),
    },
    bars: [
      { a: 0, b: 1, lengthM: Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), sigmaM: 0.01 },
    ],
  };
}

interface Group {
  readonly residuals: readonly number[];
  /** Of Cauchy's loss; none for a plain square. */
  readonly width?: number;
}

/** All residuals over their sigmas, at unknowns moved by `delta`: cameras, lenses, bias, marked, points. */
function residualGroups(problem: BundleProblem, delta: ArrayLike<number>): Group[] {
  const { state, priors, cameraLens, observations, marks, bars } = problem;
  let next = 0;
  const take = (count: number) => Array.from({ length: count }, () => delta[next++] ?? 0);
  const three = (values: Float64Array, i: number, moves: readonly number[] = []): Triple => {
    const at = (axis: number) => (values[i * 3 + axis] ?? 0) + (moves[axis] ?? 0);
    return [at(0), at(1), at(2)];
  };
  const poses = [...cameraLens].map((lens, c) => {
    const [x = 0, y = 0, z = 0, ...move] = take(6);
    const before = state.rotations.slice(c * 9, c * 9 + 9);
    const rotation = compose(rotationFromVector([x, y, z]), before);
    const row = (i: number) => three(rotation, i);
    const axes = { right: row(0), down: row(1), forward: row(2) };
    return { rotation, lens, centre: three(state.centres, c, move), ...axes };
  });
  const moved = (values: Float64Array) => values.map((value) => value + (delta[next++] ?? 0));
  const lenses = moved(state.lenses);
  const bias = moved(state.bias);
  const marked = moved(state.marked);
  const points = moved(state.points);
  const groups: Group[] = [];
  const see = (targets: Float64Array, { point, camera, u, v }: Observations, sigma: number) => {
    point.forEach((p, k) => {
      const pose = poses[camera[k] ?? 0];
      if (!pose) return;
      const [f = 0, cx = 0, cy = 0, k1 = 0, k2 = 0, p1 = 0, p2 = 0] = lenses.subarray(
        pose.lens * 7,
      );
      const pixel = picture({ f, cx, cy, k1, k2, p1, p2 }, pose, three(targets, p));
      const residuals = [(pixel.u - (u[k] ?? 0)) / sigma, (pixel.v - (v[k] ?? 0)) / sigma];
      groups.push({ residuals, width: 2.3849 });
    });
  };
  see(points, observations, SIGMA_PX);
  see(marked, marks, MARK_SIGMA_PX);
  poses.forEach(({ rotation, centre }, c) => {
    const sigmas = three(priors.centreSigma, c);
    const tagged = three(priors.centres, c);
    const offset = (priors.biasOf[c] ?? -1) >= 0 ? three(bias, priors.biasOf[c] ?? 0) : [0, 0, 0];
    const position = centre.flatMap((x, i) =>
      sigmas[i] ? (x + (offset[i] ?? 0) - (tagged[i] ?? 0)) / sigmas[i] : [],
    );
    groups.push({ residuals: position, width: 5 });
    const sigma = priors.rotationSigma[c] ?? 0;
    const turn = compose(rotation, inverse(priors.rotations.slice(c * 9, c * 9 + 9)));
    if (sigma > 0) {
      groups.push({ residuals: vectorFromRotation(turn).map((w) => w / sigma), width: 5 });
    }
  });
  const compare = (values: Float64Array, expected: Float64Array, sigmas: Float64Array) =>
    sigmas.forEach((sigma, i) => {
      if (sigma > 0) groups.push({ residuals: [((values[i] ?? 0) - (expected[i] ?? 0)) / sigma] });
    });
  compare(lenses, priors.lenses, priors.lensSigma);
  compare(bias, new Float64Array(6), priors.biasSigma);
  compare(marked, priors.marked, priors.markedSigma);
  for (const { a, b, lengthM, sigmaM } of bars) {
    const [from, to] = [three(marked, a), three(marked, b)];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    groups.push({ residuals: [(length - lengthM) / sigmaM] });
  }
  return groups;
}

const HELD = CAMERAS * 6 + 8;
const unknownCount = ({ state }: BundleProblem) =>
  CAMERAS * 6 + state.lenses.length + state.bias.length + state.marked.length + state.points.length;

/** Moves small enough for a straight line, large enough against rounding. */
function stepOf(unknown: number): number {
  const lensValue = (unknown - CAMERAS * 6) % 7;
  const isDistortion = unknown >= CAMERAS * 6 && unknown < CAMERAS * 6 + 14 && lensValue > 2;
  return isDistortion || unknown < CAMERAS * 6 ? 1e-6 : 1e-4;
}

function moveOne(problem: BundleProblem, unknown: number, step: number): Float64Array {
  const delta = new Float64Array(unknownCount(problem));
  delta[unknown] = step;
  return delta;
}

/** Inverse by Gauss and Jordan; symmetric positive definite, so no pivoting. */
function invert(matrix: Float64Array[]): Float64Array[] {
  const size = matrix.length;
  const work = matrix.map((row, i) =>
    Float64Array.from({ length: 2 * size }, (_, j) =>
      j < size ? (row[j] ?? 0) : j - size === i ? 1 : 0,
    ),
  );
  work.forEach((pivotRow, pivot) => {
    const scale = 1 / (pivotRow[pivot] ?? 1);
    for (let j = 0; j < 2 * size; j += 1) pivotRow[j] = (pivotRow[j] ?? 0) * scale;
    work.forEach((row, i) => {
      const factor = row[pivot] ?? 0;
      if (i === pivot || factor === 0) return;
      for (let j = 0; j < 2 * size; j += 1) row[j] = (row[j] ?? 0) - factor * (pivotRow[j] ?? 0);
    });
  });
  return work.map((row) => row.slice(size));
}

it("the adjustment propagates sigmas as the whole normal matrix by finite differences does", () => {
  const problem = smallProblem(0);
  const free = Array.from({ length: unknownCount(problem) }, (_, i) => i).filter((i) => i !== HELD);
  const flat = (delta: Float64Array) =>
    residualGroups(problem, delta).flatMap(({ residuals }) => residuals);
  const columns = free.map((unknown) => {
    const step = stepOf(unknown);
    const plus = flat(moveOne(problem, unknown, step));
    const minus = flat(moveOne(problem, unknown, -step));
    return plus.map((r, i) => (r - (minus[i] ?? 0)) / (2 * step));
  });
  const normal = columns.map((a) =>
    Float64Array.from(columns, (b) => a.reduce((sum, r, i) => sum + r * (b[i] ?? 0), 0)),
  );
  const covariance = invert(normal);
  const expected = new Float64Array(unknownCount(problem));
  free.forEach((unknown, i) => {
    expected[unknown] = Math.sqrt(covariance[i]?.[i] ?? 0);
  });

  const sigmas = bundleSigmas(problem, SIGMA_PX);

  if (!sigmas) throw new Error("the normal matrix is singular");
  const found = [
    ...Array.from({ length: CAMERAS }, (_, c) => [
      ...sigmas.rotations.subarray(c * 3, c * 3 + 3),
      ...sigmas.centres.subarray(c * 3, c * 3 + 3),
    ]).flat(),
    ...sigmas.lenses,
  ];
  expect(found[HELD]).toBe(0);
  found.forEach((sigma, i) => {
    if (i !== HELD) expect(sigma / (expected[i] ?? 0)).toBeCloseTo(1, 3);
  });
  const markedFrom = CAMERAS * 6 + 14 + 6;
  expect(sigmas.marked).toHaveLength(6);
  sigmas.marked.forEach((sigma, i) => {
    expect(sigma / (expected[markedFrom + i] ?? 0)).toBeCloseTo(1, 3);
  });
  // The scale: g' Sigma g with g from the spread of the centres.
  const centres = [...problem.state.centres];
  const mean = [0, 1, 2].map(
    (axis) => centres.filter((_, i) => i % 3 === axis).reduce((s, c) => s + c, 0) / CAMERAS,
  );
  const apart = centres.map((c, i) => c - (mean[i % 3] ?? 0));
  const spread = apart.reduce((sum, d) => sum + d * d, 0);
  let variance = 0;
  apart.forEach((di, i) => {
    apart.forEach((dj, j) => {
      const row = Math.floor(i / 3) * 6 + 3 + (i % 3);
      const column = Math.floor(j / 3) * 6 + 3 + (j % 3);
      variance += (di / spread) * (dj / spread) * (covariance[row]?.[column] ?? 0);
    });
  });
  expect(sigmas.scale / Math.sqrt(variance)).toBeCloseTo(1, 3);
});

it("the adjustment gives positions, control points and bars the shares by which the scale follows them", () => {
  const grown = 1.0005;
  const centresOf = ({ state }: BundleProblem) =>
    Array.from({ length: CAMERAS }, (_, c): Triple => {
      const [x = 0, y = 0, z = 0] = state.centres.subarray(c * 3, c * 3 + 3);
      return [x, y, z];
    });
  const mean = [0, 1, 2].map(
    (axis) => centresOf(smallProblem(0)).reduce((sum, c) => sum + (c[axis] ?? 0), 0) / CAMERAS,
  );
  const away = (values: Float64Array) =>
    values.map((value, i) => (mean[i % 3] ?? 0) + grown * (value - (mean[i % 3] ?? 0)));
  /** Share by which the scale follows a change of the problem, adjusted anew. */
  const followed = (change: (problem: BundleProblem) => BundleProblem) => {
    // A bar of 0.3 m, so that it does not decide alone.
    const soft = (problem: BundleProblem) => ({
      ...problem,
      bars: problem.bars.map((bar) => ({ ...bar, sigmaM: 0.3 })),
    });
    const problem = change(soft(smallProblem(0)));
    const options = { sigmaPx: SIGMA_PX, maxIterations: 100, holdLenses: false };
    adjustBundle(problem, { ...options, tolerance: 1e-13, stepSigmas: 1e-6 });
    const scales = scaleShares(problem, {
      sigmaPx: SIGMA_PX,
      centreSigma: problem.priors.centreSigma,
      controlPoints: 1,
    });
    if (!scales) throw new Error("the normal matrix is singular");
    const shares = scales.cameras;
    const plain = soft(smallProblem(0));
    adjustBundle(plain, { ...options, tolerance: 1e-13, stepSigmas: 1e-6 });
    const moved = scaleError(centresOf(problem), centresOf(plain));
    return { shares, share: moved / (grown - 1) };
  };
  const positions = followed((problem) => ({
    ...problem,
    priors: { ...problem.priors, centres: away(problem.priors.centres) },
  }));
  const control = followed((problem) => ({
    ...problem,
    priors: { ...problem.priors, marked: away(problem.priors.marked) },
  }));
  const bars = followed((problem) => ({
    ...problem,
    bars: problem.bars.map((bar) => ({ ...bar, lengthM: grown * bar.lengthM })),
  }));
  const { shares } = positions;
  expect(positions.share).toBeCloseTo(shares.positions, 4);
  expect(control.share).toBeCloseTo(shares.control, 4);
  expect(bars.share).toBeCloseTo(shares.bars, 4);
  // None of them is idle.
  for (const share of [shares.positions, shares.control, shares.bars]) {
    expect(share).toBeGreaterThan(0.005);
  }
  expect(shares.positions + shares.control + shares.bars).toBeCloseTo(1, 3);
});

it("the ground between control points has a scale of its own, which follows them and not the positions", () => {
  const grown = 1.0005;
  const away = (values: Float64Array, about: readonly number[]) =>
    values.map((value, i) => (about[i % 3] ?? 0) + grown * (value - (about[i % 3] ?? 0)));
  /** Both marked points are control points, of 2 m so that positions of a metre weigh about as much. */
  const controlled = (problem: BundleProblem): BundleProblem => ({
    ...problem,
    bars: [],
    priors: { ...problem.priors, markedSigma: Float64Array.of(2, 2, 2, 2, 2, 2) },
  });
  const distanceOf = ({ state }: BundleProblem) => {
    const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0] = state.marked;
    return Math.hypot(ax - bx, ay - by, az - bz);
  };
  const adjusted = (change: (problem: BundleProblem) => BundleProblem) => {
    const problem = change(controlled(smallProblem(0)));
    const options = { sigmaPx: SIGMA_PX, maxIterations: 100, holdLenses: false };
    adjustBundle(problem, { ...options, tolerance: 1e-13, stepSigmas: 1e-6 });
    return problem;
  };
  const plain = adjusted((problem) => problem);
  const ground = scaleShares(plain, {
    sigmaPx: SIGMA_PX,
    centreSigma: plain.priors.centreSigma,
    controlPoints: 2,
  })?.ground;
  const { marked } = plain.priors;
  const middle = [0, 1, 2].map((axis) => ((marked[axis] ?? 0) + (marked[axis + 3] ?? 0)) / 2);
  const followed = (problem: BundleProblem) =>
    (distanceOf(problem) / distanceOf(plain) - 1) / (grown - 1);
  const byControl = adjusted((problem) => ({
    ...problem,
    priors: { ...problem.priors, marked: away(problem.priors.marked, middle) },
  }));
  const byPositions = adjusted((problem) => ({
    ...problem,
    priors: { ...problem.priors, centres: away(problem.priors.centres, middle) },
  }));
  expect(ground?.control).toBeCloseTo(followed(byControl), 3);
  expect(ground?.positions).toBeCloseTo(followed(byPositions), 3);
  expect(ground?.control).toBeGreaterThan(0.05);
  expect(ground?.positions).toBeGreaterThan(0.05);
});

it("the adjustment comes to rest where no small move of any unknown lowers the cost", () => {
  const problem = smallProblem(1);
  const { state } = problem;
  const random = seededRandom(4);
  for (const values of [state.centres, state.points]) {
    values.forEach((value, i) => {
      values[i] = value + random() - 0.5;
    });
  }
  state.lenses[0] = TRUE_LENS.f * 1.01;
  state.lenses[3] = 0;
  const held = state.lenses[8];
  const costOf = (delta: Float64Array) =>
    residualGroups(problem, delta).reduce((sum, { residuals, width }) => {
      const squared = residuals.reduce((s, r) => s + r * r, 0);
      return sum + (width ? width ** 2 * Math.log(1 + squared / width ** 2) : squared);
    }, 0);
  const nowhere = new Float64Array(unknownCount(problem));
  const before = costOf(nowhere);

  const { cost, iterations } = adjustBundle(problem, {
    sigmaPx: SIGMA_PX,
    maxIterations: 60,
    holdLenses: false,
    tolerance: 1e-12,
  });

  expect(iterations).toBeLessThan(60);
  const least = costOf(nowhere);
  expect(least).toBeCloseTo(cost, 6);
  expect(least).toBeLessThan(before / 20);
  // Cost of a fit with noise as stated: about its redundancy, and not nothing.
  const observations = 2 * (problem.observations.point.length + problem.marks.point.length);
  const redundancy = observations - unknownCount(problem);
  expect(least).toBeGreaterThan(redundancy * 0.4);
  expect(least).toBeLessThan(redundancy * 1.8);
  expect(state.lenses[8]).toBe(held);
  let moves = 0;
  for (let unknown = 0; unknown < unknownCount(problem); unknown += 1) {
    if (unknown === HELD) continue;
    const step = stepOf(unknown) * 10;
    const rise = costOf(moveOne(problem, unknown, step)) - least;
    const fall = costOf(moveOne(problem, unknown, -step)) - least;
    // At a minimum both are the curvature's, alike but for third order and the slope that is left.
    expect(Math.min(rise, fall)).toBeGreaterThan(-1e-5);
    moves += 1;
  }
  expect(moves).toBe(unknownCount(problem) - 1);
});

it("the adjustment holds all lenses when asked to", () => {
  const problem = smallProblem(1);
  const before = problem.state.lenses.slice();
  const options = { sigmaPx: 1, maxIterations: 3, tolerance: 0 };
  adjustBundle(problem, { ...options, holdLenses: true });
  expect(problem.state.lenses).toEqual(before);
  adjustBundle(problem, { ...options, holdLenses: false });
  expect(problem.state.lenses).not.toEqual(before);
});
