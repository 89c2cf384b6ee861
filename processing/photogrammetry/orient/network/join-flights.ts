import { inverse, rotate, type Vector3 } from "../../../geometry/rotation.ts";
import type { CameraPrior } from "../../camera/camera-prior.ts";
import type { VerifiedPair } from "../../matching/verified-pair.ts";

/**
 * Scatter of a baseline between two tags of one flight, metres: consumer GPS. Smaller trusts tags that drift,
 * larger lets pictures alone place short flights.
 */
const BASELINE_SIGMA_M = 2;
/** What two flights may differ by where no pair shows it, metres: as `BIAS_SIGMA_M` in survey-block.ts. */
const OFFSET_SIGMA_M = [5, 5, 100] as const;
/** Rounds of reweighting; wrong pairs have lost their weight by then. */
const ROUNDS = 10;

/**
 * Moves the positions of the earlier flight to where the pictures of both meet: receivers differ by metres
 * from day to day, and heights may be above another zero altogether, which is too far for an adjustment to
 * start from. The lines of sight between cameras of the two flights determine the one offset.
 * @returns the priors as they were where there is no earlier flight, or no pair with it
 */
export function joinFlights(
  priors: readonly CameraPrior[],
  pairs: readonly VerifiedPair[],
): readonly CameraPrior[] {
  const sights = pairs.flatMap((pair) => sightBetween(pair, priors) ?? []);
  if (sights.length === 0) return priors;
  let offset: Vector3 = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round += 1) offset = nextOffset(sights, offset, round === 0);
  const [east, north, up] = offset;
  return priors.map((prior) =>
    prior.isOfEarlierFlight && prior.centre
      ? {
          ...prior,
          centre: [prior.centre[0] + east, prior.centre[1] + north, prior.centre[2] + up] as const,
        }
      : prior,
  );
}

/** From a camera of this flight to one of the earlier: by tags, and which way by the pictures. */
interface Sight {
  readonly baseline: Vector3;
  readonly direction: Vector3;
}

function sightBetween(
  { first, second, direction }: VerifiedPair,
  priors: readonly CameraPrior[],
): Sight | undefined {
  const [a, b] = [priors[first], priors[second]];
  if (!a?.centre || !b?.centre || !a.rotation) return undefined;
  if (a.isOfEarlierFlight === b.isOfEarlierFlight) return undefined;
  const [own, earlier] = a.isOfEarlierFlight ? [b.centre, a.centre] : [a.centre, b.centre];
  // A line is the same from either end.
  return {
    baseline: [earlier[0] - own[0], earlier[1] - own[1], earlier[2] - own[2]],
    direction: rotate(inverse(a.rotation), direction),
  };
}

/** Least squares of what (baseline + offset) has across its line of sight, weighted by Cauchy. */
function nextOffset(sights: readonly Sight[], offset: Vector3, isFirst: boolean): Vector3 {
  const normal = OFFSET_SIGMA_M.map((sigma, i) =>
    [0, 1, 2].map((j) => (i === j ? 1 / sigma ** 2 : 0)),
  );
  const right = [0, 0, 0];
  for (const { baseline, direction: d } of sights) {
    const across = (p: readonly number[]) => {
      const along = p.reduce((sum, value, i) => sum + value * (d[i] ?? 0), 0);
      return p.map((value, i) => value - along * (d[i] ?? 0));
    };
    const off = across(baseline.map((value, i) => value + (offset[i] ?? 0)));
    const u = Math.hypot(...off) / BASELINE_SIGMA_M;
    const weight = (isFirst ? 1 : 1 / (1 + u * u)) / BASELINE_SIGMA_M ** 2;
    across(baseline).forEach((value, i) => {
      right[i] = (right[i] ?? 0) - weight * value;
      const row = normal[i];
      [0, 1, 2].forEach((j) => {
        if (row) row[j] = (row[j] ?? 0) + weight * ((i === j ? 1 : 0) - (d[i] ?? 0) * (d[j] ?? 0));
      });
    });
  }
  return solve3(normal, right);
}

/** Cramer's rule; the matrix is positive definite. */
function solve3(m: readonly (readonly number[])[], r: readonly number[]): Vector3 {
  const at = (i: number, j: number) => m[i]?.[j] ?? 0;
  const minor = (i: number, j: number) => {
    const [a, b] = [0, 1, 2].filter((k) => k !== i);
    const [c, d] = [0, 1, 2].filter((k) => k !== j);
    const sign = (i + j) % 2 === 0 ? 1 : -1;
    return (
      sign * (at(a ?? 0, c ?? 0) * at(b ?? 0, d ?? 0) - at(a ?? 0, d ?? 0) * at(b ?? 0, c ?? 0))
    );
  };
  const determinant = [0, 1, 2].reduce((sum, j) => sum + at(0, j) * minor(0, j), 0);
  const component = (j: number) =>
    [0, 1, 2].reduce((sum, i) => sum + (r[i] ?? 0) * minor(i, j), 0) / determinant;
  return [component(0), component(1), component(2)];
}
