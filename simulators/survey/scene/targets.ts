import type { Random } from "../../randomness/random.ts";
import { alongAndRight, type Place } from "../coordinates/place.ts";
import type { Area } from "../flight/flight-plan.ts";
import type { Site } from "../site/site.ts";
import { solidReachM } from "../site/solid.ts";
import { type HeightField, heightAtM } from "./height-field.ts";
import { TARGET_HALF_M, type Target } from "./target.ts";

/** Places that are tried for the targets. */
const CANDIDATES = 600;
/** About a target there is nothing but ground within this, metres. */
const FREE_M = 1.2;
/** A target's plate lies level; ground that rises more than this is not suitable, metres. */
const LEVEL_M = 0.12;

/**
 * Places targets on bare ground over the area, each as far as can be from those before, so that any
 * number of them spreads. They are in the same places at every epoch. The first two are the ends of the scale
 * bar (`scale-1`, `scale-2`).
 */
export function placeTargets(
  area: Area,
  site: Site,
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
    const upM = heightAtM(heights, heights.base, place.eastM, place.northM);
    return upM !== undefined && isFree(site, place) && isLevel(heights, place)
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

/** Whether nothing stands, lies or drives about a place at any epoch. */
function isFree({ busy, road, solids }: Site, { eastM, northM }: Place): boolean {
  const awayM = (other: Place) => Math.hypot(other.eastM - eastM, other.northM - northM);
  const { from, to, widthM } = road;
  const azimuth = Math.atan2(to.eastM - from.eastM, to.northM - from.northM);
  const offRoadM = Math.abs(
    (eastM - from.eastM) * Math.cos(azimuth) - (northM - from.northM) * Math.sin(azimuth),
  );
  return (
    offRoadM > widthM / 2 + FREE_M &&
    busy.every(({ centre, radiusM }) => awayM(centre) > radiusM + FREE_M) &&
    solids.every(
      (solid) =>
        !solid.owner.startsWith("tree-") || awayM(solid.centre) > solidReachM(solid) + FREE_M,
    )
  );
}

function isLevel(heights: HeightField, { eastM, northM }: Place): boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let e = -TARGET_HALF_M; e <= TARGET_HALF_M; e += 0.15) {
    for (let n = -TARGET_HALF_M; n <= TARGET_HALF_M; n += 0.15) {
      const upM = heightAtM(heights, heights.base, eastM + e, northM + n);
      if (upM === undefined) return false;
      low = Math.min(low, upM);
      high = Math.max(high, upM);
    }
  }
  return high - low < LEVEL_M;
}
