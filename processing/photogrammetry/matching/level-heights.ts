import { compose, inverse, rotate, type Vector3 } from "../../geometry/rotation.ts";
import { choleskySolve } from "../../numeric/cholesky-solve.ts";
import { MAD_TO_SIGMA, upperMedian } from "../../numeric/median.ts";
import type { CameraPrior } from "../camera/camera-prior.ts";
import type { VerifiedPair } from "./verified-pair.ts";

/** How the heights in the tags agree with gravity, of one flight. */
export interface HeightAgreement {
  /** Change of their error from the first image to the last, metres: median of all slopes. */
  readonly driftM: number;
  /** Standard deviation of the error about that line, by the median absolute deviation, metres. */
  readonly spreadM: number;
  /** Whether they contradict it: they then hold neither the level of the block nor its start. */
  readonly isDoubted: boolean;
}

/** Baselines that are shorter say nothing beside the errors of GPS, metres, as in tag-vote.ts. */
const MIN_BASELINE_M = 3;
/** A baseline that is steeper has no horizontal part to scale it by: 60 degrees. */
const MIN_HORIZONTAL = 0.5;
/** Standard deviation of a difference of height by a pair: by its length (attitudes of 2.5 degrees), and metres. */
const PAIR_SIGMA = { byLength: 0.04, leastM: 0.3 } as const;
/** Rounds of reweighting; wrong pairs have lost their weight by then. */
const ROUNDS = 6;
/** Fewer images do not distinguish a drift from noise. */
const MIN_IMAGES = 5;
/**
 * Drift that is doubted, metres over a flight: attitudes 2 degrees off make 2 m over a block of 60 m, a receiver
 * whose errors follow each other (1.2 m, AR(1) 0.9) 3 m. Less would doubt sound heights, more would let
 * 5 m tilt a block of 60 m by 5 degrees.
 */
const DRIFT_M = 5;
/** Times the stated standard deviation that heights may scatter about their drift. */
const SPREAD_SIGMAS = 3;

/** Heights of a flight by gravity, and how the tags agree. */
interface LevelledFlight {
  /** By image, ENU metres; their mean error is the tags'. */
  readonly heightM: ReadonlyMap<number, number>;
  readonly agreement: HeightAgreement;
}

/**
 * Compares the heights in the tags with those that follow from attitudes: the pictures give two images' line
 * of sight. It is turned into ENU by their attitudes and scaled by the horizontal distance of their
 * positions, which gives the difference of their heights. `undefined`: there are too few pairs.
 */
export function levelFlight(
  images: readonly number[],
  priors: readonly CameraPrior[],
  pairs: readonly VerifiedPair[],
): LevelledFlight | undefined {
  const members = new Set(images);
  const steps = pairs.flatMap((pair) =>
    members.has(pair.first) && members.has(pair.second) ? (stepOf(pair, priors) ?? []) : [],
  );
  const joined = [...largestGroup(steps)];
  if (joined.length < MIN_IMAGES) return undefined;
  const risesM = solveHeights(joined, steps);
  const errors = joined.map((image, i) => (priors[image]?.centre?.[2] ?? 0) - (risesM[i] ?? 0));
  const offsetM = upperMedian(errors) ?? 0;
  const sigmaM = upperMedian(joined.map((image) => priors[image]?.centreSigmaM[2] ?? 0)) ?? 0;
  return {
    heightM: new Map(joined.map((image, i) => [image, (risesM[i] ?? 0) + offsetM])),
    agreement: agreementOf(timesOf(joined, priors), errors, sigmaM),
  };
}

/** The priors with heights by gravity where the tags contradict it; RTK is trusted. */
export function levelHeights(
  priors: readonly CameraPrior[],
  pairs: readonly VerifiedPair[],
): { readonly priors: readonly CameraPrior[]; readonly agreement: HeightAgreement | undefined } {
  const levelled = [...priors];
  const [agreement] = [undefined, true].map((earlier) => {
    const images = [...priors.keys()].filter((i) => {
      const prior = priors[i];
      return prior?.isOfEarlierFlight === earlier && prior?.isRtk === false;
    });
    const flight = levelFlight(images, priors, pairs);
    if (flight?.agreement.isDoubted !== true) return flight?.agreement;
    const { driftM, spreadM } = flight.agreement;
    for (const image of images) {
      const prior = priors[image];
      if (!prior?.centre) continue;
      const [east, north, up] = prior.centre;
      const [sigmaEast, sigmaNorth, sigmaUp] = prior.centreSigmaM;
      levelled[image] = {
        ...prior,
        centre: [east, north, flight.heightM.get(image) ?? up],
        centreSigmaM: [sigmaEast, sigmaNorth, Math.max(sigmaUp, Math.hypot(driftM, spreadM))],
        isHeightDoubted: true,
      };
    }
    return flight.agreement;
  });
  return { priors: levelled, agreement };
}

/** A difference of height between two images: second less first, metres. */
interface Step {
  readonly first: number;
  readonly second: number;
  readonly riseM: number;
  readonly sigmaM: number;
}

function stepOf(
  { first, second, rotation, direction }: VerifiedPair,
  priors: readonly CameraPrior[],
): Step | undefined {
  const [a, b] = [priors[first], priors[second]];
  if (!a?.centre || !b?.centre || !a.rotation || !b.rotation) return undefined;
  const lengthM = Math.hypot(b.centre[0] - a.centre[0], b.centre[1] - a.centre[1]);
  if (lengthM < MIN_BASELINE_M) return undefined;
  const byFirst = rotate(inverse(a.rotation), direction);
  const bySecond = rotate(compose(inverse(b.rotation), rotation), direction);
  const [x, y, z] = byFirst.map((d, i) => (d + (bySecond[i] ?? 0)) / 2) as unknown as Vector3;
  const horizontal = Math.hypot(x, y);
  if (horizontal < MIN_HORIZONTAL) return undefined;
  const sigmaM = PAIR_SIGMA.leastM + PAIR_SIGMA.byLength * lengthM;
  return { first, second, riseM: (lengthM * z) / horizontal, sigmaM };
}

/** The largest set of images that steps join. */
function largestGroup(steps: readonly Step[]): ReadonlySet<number> {
  const groupOf = new Map<number, Set<number>>();
  let largest = new Set<number>();
  for (const { first, second } of steps) {
    const a = groupOf.get(first) ?? new Set([first]);
    const joined = new Set([...a, ...(groupOf.get(second) ?? [second])]);
    for (const image of joined) groupOf.set(image, joined);
    if (joined.size > largest.size) largest = joined;
  }
  return largest;
}

/** Least squares of all steps, reweighted by Cauchy's loss; the first image is at 0. */
function solveHeights(images: readonly number[], steps: readonly Step[]): Float64Array {
  const rowOf = new Map(images.map((image, row) => [image, row]));
  const size = images.length;
  let heights: Float64Array = new Float64Array(size);
  for (let round = 0; round < ROUNDS; round += 1) {
    const matrix = new Float64Array(size * size);
    const right = new Float64Array(size);
    const add = (row: number, column: number, value: number) => {
      matrix[row * size + column] = (matrix[row * size + column] ?? 0) + value;
    };
    add(0, 0, 1);
    for (const { first, second, riseM, sigmaM } of steps) {
      const [i, j] = [rowOf.get(first), rowOf.get(second)];
      if (i === undefined || j === undefined) continue;
      const off = ((heights[j] ?? 0) - (heights[i] ?? 0) - riseM) / sigmaM;
      const weight = (round === 0 ? 1 : 1 / (1 + off * off)) / sigmaM ** 2;
      add(i, i, weight);
      add(j, j, weight);
      add(i, j, -weight);
      add(j, i, -weight);
      right[i] = (right[i] ?? 0) - weight * riseM;
      right[j] = (right[j] ?? 0) + weight * riseM;
    }
    heights = choleskySolve(matrix, right);
  }
  return heights;
}

/** From 0 to 1 over the flight; by number where an image has no time. */
export function timesOf(
  images: readonly number[],
  priors: readonly CameraPrior[],
): readonly number[] {
  const taken = images.map((image) => priors[image]?.takenAtMs ?? Number.NaN);
  const times = taken.some(Number.isNaN) ? images : taken;
  const [from, to] = [Math.min(...times), Math.max(...times)];
  return times.map((time) => (to > from ? (time - from) / (to - from) : 0));
}

/** Drift by Theil and Sen (Sen 1968, doi:10.1080/01621459.1968.10480934), which a third of wild values do not move. */
function agreementOf(
  times: readonly number[],
  errors: readonly number[],
  sigmaM: number,
): HeightAgreement {
  const slopes = times.flatMap((time, i) =>
    times.slice(0, i).flatMap((other, j) => {
      const span = time - other;
      return span === 0 ? [] : [((errors[i] ?? 0) - (errors[j] ?? 0)) / span];
    }),
  );
  const driftM = upperMedian(slopes) ?? 0;
  const rest = errors.map((error, i) => error - driftM * (times[i] ?? 0));
  const middle = upperMedian(rest) ?? 0;
  const spreadM = MAD_TO_SIGMA * (upperMedian(rest.map((r) => Math.abs(r - middle))) ?? 0);
  return {
    driftM,
    spreadM,
    isDoubted: Math.abs(driftM) > DRIFT_M || spreadM > SPREAD_SIGMAS * sigmaM,
  };
}
