import type { Random } from "../random.ts";
import type { Area } from "./flight-plan.ts";
import { alongAndRight } from "./place.ts";
import { type HeightField, heightAtM } from "./scene/height-field.ts";
import { TARGET_HALF_M, type Target } from "./scene/target.ts";

/** Places that are tried for the targets. */
const CANDIDATES = 600;
/** About a target there is nothing but ground within this, metres. */
const FREE_M = 1.4;
/** A target's plate lies level; ground that rises more under it is no place for it, metres. */
const LEVEL_M = 0.12;

/**
 * Places targets on bare ground over the area, each as far as can be from those before, so that any
 * number of them spreads. The first two are the ends of the scale bar (`scale-1`, `scale-2`).
 */
export function placeTargets(
  area: Area,
  heights: HeightField,
  controlPoints: number,
  random: Random,
): Target[] {
  const free = Array.from({ length: CANDIDATES }, () =>
    alongAndRight(
      area.centre,
      area.azimuthRad,
      random.uniform(-1, 1) * Math.max(6, area.halfLengthM + 3),
      random.uniform(-1, 1) * Math.max(6, area.halfWidthM + 3),
    ),
  ).flatMap((place) => {
    const upM = heightAtM(heights, heights.terrain, place.eastM, place.northM);
    return upM !== undefined && isBare(heights, place.eastM, place.northM)
      ? [{ ...place, upM }]
      : [];
  });
  const chosen: Target[] = [];
  const names = [
    "scale-1",
    "scale-2",
    ...Array.from({ length: controlPoints }, (_, i) => `gcp-${i + 1}`),
  ];
  for (const name of names) {
    let best = free[0];
    let bestM = -1;
    for (const place of free) {
      const nearestM = Math.min(
        1e6 - Math.hypot(place.eastM - area.centre.eastM, place.northM - area.centre.northM),
        ...chosen.map((other) =>
          Math.hypot(other.eastM - place.eastM, other.northM - place.northM),
        ),
      );
      if (nearestM > bestM) {
        best = place;
        bestM = nearestM;
      }
    }
    if (best !== undefined && bestM > 2 * TARGET_HALF_M) chosen.push({ name, ...best });
  }
  return chosen;
}

function isBare(heights: HeightField, eastM: number, northM: number): boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let e = -FREE_M; e <= FREE_M; e += 0.2) {
    for (let n = -FREE_M; n <= FREE_M; n += 0.2) {
      const base = heightAtM(heights, heights.base, eastM + e, northM + n);
      const surface = heightAtM(heights, heights.surface, eastM + e, northM + n);
      if (base === undefined || surface === undefined || surface - base > 0.02) return false;
      low = Math.min(low, base);
      high = Math.max(high, base);
    }
  }
  return high - low < LEVEL_M;
}
