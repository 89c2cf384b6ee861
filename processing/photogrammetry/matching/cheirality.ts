import { compose, rotate } from "../../geometry/rotation.ts";
import type { Correspondences, RelativePose } from "./epipolar.ts";

/**
 * Of the four poses that share an essential matrix (Hartley and Zisserman, 2nd ed., section 9.6.2) the
 * one that has most of the matches listed in front of both cameras, and the share that it has so.
 */
export function chooseInFront(
  pose: RelativePose,
  pairs: Correspondences,
  indices: Uint32Array,
): { readonly pose: RelativePose; readonly share: number } {
  const [x, y, z] = pose.translation;
  const back = [-x, -y, -z] as const;
  // Half a turn about t.
  const turn = Float64Array.of(
    2 * x * x - 1,
    2 * x * y,
    2 * x * z,
    2 * y * x,
    2 * y * y - 1,
    2 * y * z,
    2 * z * x,
    2 * z * y,
    2 * z * z - 1,
  );
  const twisted = compose(turn, pose.rotation);
  const counted = [
    pose,
    { rotation: pose.rotation, translation: back },
    { rotation: twisted, translation: pose.translation },
    { rotation: twisted, translation: back },
  ].map((candidate) => ({ candidate, inFront: countInFront(candidate, pairs, indices) }));
  const best = counted.reduce((most, next) => (next.inFront > most.inFront ? next : most));
  return { pose: best.candidate, share: best.inFront / Math.max(1, indices.length) };
}

/** Matches whose rays meet at positive depth in both cameras. */
function countInFront(pose: RelativePose, pairs: Correspondences, indices: Uint32Array): number {
  const [tx, ty, tz] = pose.translation;
  let count = 0;
  for (const i of indices) {
    const u = pairs.second[2 * i] ?? 0;
    const v = pairs.second[2 * i + 1] ?? 0;
    const [a, b, c] = rotate(pose.rotation, [
      pairs.first[2 * i] ?? 0,
      pairs.first[2 * i + 1] ?? 0,
      1,
    ]);
    // Depth z1 along the first ray from (u, v, 1) x (z1 (a, b, c) + t) = 0, by least squares.
    const px = v * c - b;
    const py = a - u * c;
    const pz = u * b - v * a;
    const qx = v * tz - ty;
    const qy = tx - u * tz;
    const qz = u * ty - v * tx;
    const depth1 = -(px * qx + py * qy + pz * qz);
    const scale = px * px + py * py + pz * pz;
    if (depth1 > 0 && depth1 * c + scale * tz > 0) count += 1;
  }
  return count;
}
