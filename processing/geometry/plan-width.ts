import type { Vector3 } from "./rotation.ts";

/**
 * Spread of points across the line that fits them best, as a share of that along it: less leaves the turn about
 * that line to chance (0.05: 1 cm of height over 5 m across makes 0.1 degrees).
 */
const LEAST_WIDTH = 0.05;

/** Whether points, seen from above, do not lie on a line. @param places ENU, metres */
export function isWide(places: readonly Vector3[]): boolean {
  const mean = [0, 1].map(
    (axis) => places.reduce((sum, place) => sum + (place[axis] ?? 0), 0) / places.length,
  );
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of places) {
    const [dx, dy] = [x - (mean[0] ?? 0), y - (mean[1] ?? 0)];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const half = Math.hypot((xx - yy) / 2, xy);
  const [long, short] = [(xx + yy) / 2 + half, (xx + yy) / 2 - half];
  return short > LEAST_WIDTH ** 2 * long;
}
