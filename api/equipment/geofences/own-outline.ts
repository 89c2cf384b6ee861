import { fenceRing } from "../../../domain/geometry/fence-ring.ts";
import type { LonLat, Ring } from "../../../domain/geometry/geofence.ts";
import { planarScale, shortestDeltaDeg } from "../../../ingest/geofence/planar.ts";
import { nearestOnLine } from "../../../processing/fence-outline/distance-to-line.ts";

/**
 * How far a corner may lie from the outline of its shape, metres. Less: coordinates that a program rounded to
 * six decimals count as drawn anew; more: a corner that somebody moved does not.
 */
const MOST_OFF_M = 0.25;
/** How far the area may differ, as a share: corners on the outline may be left out, but no part of it. */
const MOST_AREA_SHARE = 0.01;

/**
 * Whether `corners` are those of the outline `ring`, closed, of `areaM2`, or lie on it. Linear in both.
 * @throws RingError for corners that are not an outline.
 */
export function isOutline(corners: readonly LonLat[], ring: Ring, areaM2: number): boolean {
  const [[originLonDeg, originLatDeg] = [0, 0]] = ring;
  const { mPerLonDeg, mPerLatDeg } = planarScale(originLatDeg);
  const toPlane = ([lonDeg, latDeg]: LonLat) =>
    [
      shortestDeltaDeg(lonDeg - originLonDeg) * mPerLonDeg,
      (latDeg - originLatDeg) * mPerLatDeg,
    ] as const;
  const line = ring.map(toPlane);
  const given = fenceRing(corners);
  return (
    Math.abs(given.areaM2 - areaM2) <= MOST_AREA_SHARE * areaM2 &&
    given.ring.every((corner) => nearestOnLine(line, toPlane(corner)).distanceM <= MOST_OFF_M)
  );
}
