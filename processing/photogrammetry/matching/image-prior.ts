import { compose, rotate, rotationFromVector } from "../../geometry/rotation.ts";
import { upperMedian } from "../../numeric/median.ts";
import type { Keypoints } from "../features/keypoints.ts";
import { type Correspondences, type RelativePose, unit } from "./epipolar.ts";

const BINS = 72;
const TURN = 2 * Math.PI;
/** Matches whose keypoints turn by this much (rad) more or less than most do not count; prototype. */
const AGREEMENT_RAD = 0.2;
/** Fewer agreeing matches say nothing; prototype. */
const MIN_AGREEING = 8;

/** Tilts against each other that are tried, rad about x and y: two nadir views, then oblique against nadir. */
const TILTS = [
  [0, 0],
  [0.7, 0],
  [-0.7, 0],
  [0, 0.7],
  [0, -0.7],
] as const;

/**
 * Relative poses from the pictures alone: turned as most matched keypoints are turned, then shifted by the
 * rest. First both cameras are taken to look straight down, then one of them is tilted by 40 degrees to each
 * side. None when the matches do not agree. Each is worked out when it is asked for: most pairs need one or none.
 */
export function* priorsFromMatches(
  a: Keypoints,
  b: Keypoints,
  matches: Uint32Array,
  pairs: Correspondences,
): Generator<RelativePose, void> {
  const turnOf = (i: number) =>
    (b.angle[matches[2 * i + 1] ?? 0] ?? 0) - (a.angle[matches[2 * i] ?? 0] ?? 0);
  const histogram = new Uint32Array(BINS);
  for (let i = 0; i < pairs.count; i += 1) {
    const part = turnOf(i) / TURN;
    const bin = Math.floor((part - Math.floor(part)) * BINS) % BINS;
    histogram[bin] = (histogram[bin] ?? 0) + 1;
  }
  const at = (i: number) => histogram[(i + BINS) % BINS] ?? 0;
  const smooth = Array.from(histogram, (count, i) => at(i - 1) + 2 * count + at(i + 1));
  const turn = ((smooth.indexOf(Math.max(...smooth)) + 0.5) / BINS) * TURN;
  const agreeing = Array.from({ length: pairs.count }, (_, i) => i).filter((i) => {
    const off = turnOf(i) - turn;
    return Math.abs(Math.atan2(Math.sin(off), Math.cos(off))) <= AGREEMENT_RAD;
  });
  if (agreeing.length < MIN_AGREEING) return;
  for (const [aboutX, aboutY] of TILTS) {
    const tilt = rotationFromVector([aboutX, aboutY, 0]);
    const rotation = compose(tilt, rotationFromVector([0, 0, turn]));
    const shifts = agreeing.map((i) => {
      const ray = [pairs.first[2 * i] ?? 0, pairs.first[2 * i + 1] ?? 0, 1] as const;
      const [x, y, z] = rotate(rotation, ray);
      return [(pairs.second[2 * i] ?? 0) - x / z, (pairs.second[2 * i + 1] ?? 0) - y / z] as const;
    });
    const right = upperMedian(shifts.map(([x]) => x)) ?? 0;
    const down = upperMedian(shifts.map(([, y]) => y)) ?? 0;
    yield { rotation, translation: unit([right, down, 0]) };
  }
}
