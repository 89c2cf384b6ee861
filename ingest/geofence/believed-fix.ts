import type { FenceFix } from "./crossing.ts";
import type { FenceFold } from "./fence-fold.ts";
import { planarDistanceM, planarScale } from "./planar.ts";

/** Fastest that a machine, or the lorry that carries it, goes: 150 km/h (docs/rules.md#geofence), in metres per ms. */
const MAX_M_PER_MS = 150 / 3_600;

/**
 * Whether the fix can be believed. One that is too far from the last to have been reached is kept as
 * a suspect. A second one that agrees with it is believed, but not the path between.
 */
export function believe(fold: FenceFold, fix: FenceFix): "good" | "jumped" | "not_believed" {
  // Receivers without a fix report the origin of coordinates.
  if (fix.lonDeg === 0 && fix.latDeg === 0) return "not_believed";
  const { last, suspect } = fold;
  if (last === undefined || isReachable(last, fix)) {
    fold.suspect = undefined;
    return "good";
  }
  if (suspect !== undefined && isReachable(suspect, fix)) {
    fold.suspect = undefined;
    return "jumped";
  }
  fold.suspect = fix;
  return "not_believed";
}

/** Metres per degree, along a meridian at the pole: no degree of the ellipsoid is longer. */
const MAX_M_PER_DEG = 111_700;

/** Whether the displacement beyond both accuracies could have been travelled. */
function isReachable(from: FenceFix, to: FenceFix): boolean {
  const reachM = (to.tMs - from.tMs) * MAX_M_PER_MS + from.accuracyM + to.accuracyM;
  // Nearly always enough, and free of roots.
  const degrees = Math.abs(to.lonDeg - from.lonDeg) + Math.abs(to.latDeg - from.latDeg);
  if (degrees * MAX_M_PER_DEG <= reachM) return true;
  return planarDistanceM(from, to, planarScale(to.latDeg)) <= reachM;
}
