import {
  compose,
  inverse,
  type Rotation,
  rotate,
  rotationFromVector,
  type Vector3,
  vectorFromRotation,
} from "../../geometry/rotation.ts";
import type { VerifiedPair } from "./verified-pair.ts";

/** Matches beyond this many do not make a pair's rotation any surer; chosen. */
const MAX_WEIGHT = 200;
/** Disagreement of a relative rotation from which on it counts less, rad; chosen, 3 degrees. */
const ROBUST_RAD = 0.05;
/** Rounds of averaging; each image settles on its neighbours', errors fall by about a half per round. */
const AVERAGING_ROUNDS = 20;

/** What a pair counts: its matches, to a limit. */
export function pairWeight({ matches }: VerifiedPair): number {
  return Math.min(MAX_WEIGHT, matches.length / 2);
}

/**
 * Fills in rotations along verified pairs: an image that is joined to a known one gets the known one's
 * rotation and the relative one, the strongest pair first; then all that were filled in are averaged over
 * their pairs (Hartley, Trumpf, Dai and Li, Rotation averaging, IJCV 103, 2013, section 7: single
 * steps in the tangent space, here with Cauchy weights). Known rotations stay. Changes `rotations`.
 */
export function fillRotations(
  rotations: (Rotation | undefined)[],
  pairs: readonly VerifiedPair[],
): readonly number[] {
  const filled: number[] = [];
  const byStrength = pairs.toSorted(
    (a, b) => b.matches.length - a.matches.length || a.first - b.first || a.second - b.second,
  );
  for (;;) {
    const next = byStrength.find(
      ({ first, second }) => (rotations[first] === undefined) !== (rotations[second] === undefined),
    );
    if (next === undefined) break;
    const image = rotations[next.first] === undefined ? next.first : next.second;
    rotations[image] = predicted(next, image, rotations);
    filled.push(image);
  }
  const inFilled = filled.map((image) => ({
    image,
    pairs: pairs.filter(({ first, second }) => first === image || second === image),
  }));
  for (let round = 0; round < AVERAGING_ROUNDS; round += 1) {
    for (const one of inFilled) averageOver(one.pairs, one.image, rotations);
  }
  return filled;
}

/** Rotation of an image by a pair and the rotation of the pair's other image. */
function predicted(
  { first, second, rotation }: VerifiedPair,
  image: number,
  rotations: readonly (Rotation | undefined)[],
): Rotation | undefined {
  const other = rotations[image === first ? second : first];
  if (other === undefined) return undefined;
  return compose(image === second ? rotation : inverse(rotation), other);
}

function averageOver(
  pairs: readonly VerifiedPair[],
  image: number,
  rotations: (Rotation | undefined)[],
): void {
  const here = rotations[image];
  if (here === undefined) return;
  let [sum, x, y, z] = [0, 0, 0, 0];
  for (const pair of pairs) {
    const there = predicted(pair, image, rotations);
    if (there === undefined) continue;
    const [dx, dy, dz] = vectorFromRotation(compose(there, inverse(here)));
    const weight = pairWeight(pair) / (1 + (Math.hypot(dx, dy, dz) / ROBUST_RAD) ** 2);
    sum += weight;
    x += weight * dx;
    y += weight * dy;
    z += weight * dz;
  }
  if (sum > 0) {
    rotations[image] = compose(rotationFromVector([x / sum, y / sum, z / sum]), here);
  }
}

/** Shift between two cameras as the pictures have it and as GPS has it; both of unit length. */
export interface BaselineEvidence {
  /** In the frame to be turned. */
  readonly direction: Vector3;
  /** ENU. */
  readonly baseline: Vector3;
  readonly weight: number;
}

/** Starts of the search for the turn about the vertical. */
const STARTS = 24;
const ALIGNING_ROUNDS = 60;
/** Weight of "cameras look down", as a share of all baselines: it decides only what one straight strip leaves open. */
const DOWN_SHARE = 0.05;

/**
 * The rotation from ENU to a frame in which baselines' directions and the mean viewing direction are
 * given (Wahba's problem, with down for the mean view at a small weight): the best of some turns about
 * the view, improved by small steps. `undefined` without baselines.
 * @param options `isDown`: the mean view counts as much as all baselines, whose heights are not trusted
 */
export function alignToBaselines(
  evidence: readonly BaselineEvidence[],
  meanView: Vector3,
  { isDown = false }: { readonly isDown?: boolean } = {},
): Rotation | undefined {
  const total = evidence.reduce((sum, { weight }) => sum + weight, 0);
  if (!(total > 0)) return undefined;
  const all = [
    ...evidence,
    {
      direction: meanView,
      baseline: [0, 0, -1] as const,
      weight: (isDown ? 1 : DOWN_SHARE) * total,
    },
  ];
  const agreement = (r: Rotation) =>
    all.reduce((sum, { direction: d, baseline, weight }) => {
      const [x, y, z] = rotate(r, baseline);
      return sum + weight * (x * d[0] + y * d[1] + z * d[2]);
    }, 0);
  let best = turnOnto([0, 0, -1], meanView);
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < STARTS; k += 1) {
    const turn = rotationFromVector([0, 0, (2 * Math.PI * k) / STARTS]);
    const candidate = compose(turnOnto([0, 0, -1], meanView), turn);
    const value = agreement(candidate);
    if (value > most) {
      best = candidate;
      most = value;
    }
  }
  for (let round = 0; round < ALIGNING_ROUNDS; round += 1) {
    let [x, y, z] = [0, 0, 0];
    for (const { direction: d, baseline, weight } of all) {
      const b = rotate(best, baseline);
      x += weight * (b[1] * d[2] - b[2] * d[1]);
      y += weight * (b[2] * d[0] - b[0] * d[2]);
      z += weight * (b[0] * d[1] - b[1] * d[0]);
    }
    best = compose(rotationFromVector([x / total, y / total, z / total]), best);
  }
  return best;
}

/** The shortest rotation that takes one unit vector to another. */
export function turnOnto(from: Vector3, to: Vector3): Rotation {
  const axis = [
    from[1] * to[2] - from[2] * to[1],
    from[2] * to[0] - from[0] * to[2],
    from[0] * to[1] - from[1] * to[0],
  ] as const;
  const sine = Math.hypot(...axis);
  const cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
  if (sine < 1e-9) return rotationFromVector(cosine > 0 ? [0, 0, 0] : [Math.PI, 0, 0]);
  const k = Math.atan2(sine, cosine) / sine;
  return rotationFromVector([axis[0] * k, axis[1] * k, axis[2] * k]);
}
