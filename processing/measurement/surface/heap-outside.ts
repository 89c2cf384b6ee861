import type { Ring } from "../../../domain/geometry/geofence.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { rounded } from "../../numeric/rounding.ts";
import type { BaseSurface } from "../../volume/base/base-surface.ts";
import { toeOutside } from "../../volume/footprint/toe-outside.ts";
import { volumeAbove } from "../../volume/volume-above.ts";
import type { PlacedSurvey } from "./place-survey.ts";
import { proposedRing } from "./propose-ring.ts";
import { withoutPolygons } from "./without-polygons.ts";

/** What a footprint leaves out of its heap. */
export interface HeapOutside {
  /** A footprint around the toe, for a person to check. */
  readonly footprint: Ring;
  /** What the volume above the base at that toe is more, cubic metres. */
  readonly volumeM3: number;
  readonly finding: GateFinding;
}

/** Share of the volume that is worth a warning: 1 sigma of the accuracy of small heaps. */
const WORTH_SHARE = 0.02;

/**
 * Checks whether the heap goes on outside its footprint. A line 1 m inside the toe of a small heap leaves a
 * quarter of it out, because its base lies on the flank as well.
 * @param netM3 within the footprint
 * @param others footprints of other stockpiles, whose heaps are their own
 * @param baseAt the base that a footprint like this one would have; `undefined`: none
 * @returns `undefined` when the footprint lies along the toe or beyond
 */
export function heapOutside(
  { surface, polygon, origin }: Pick<PlacedSurvey, "surface" | "polygon" | "origin">,
  netM3: number,
  others: readonly PlacedSurvey["polygon"][],
  baseAt: (polygon: PlacedSurvey["polygon"]) => BaseSurface | undefined,
): HeapOutside | undefined {
  const toe = toeOutside(withoutPolygons(surface, others), polygon);
  const base = toe && baseAt(toe.polygon);
  if (toe === undefined || base === undefined) return undefined;
  const volumeM3 = volumeAbove(surface, toe.polygon, base).netM3 - netM3;
  const leastM3 = WORTH_SHARE * Math.abs(netM3);
  if (!(volumeM3 > leastM3)) return undefined;
  return {
    footprint: proposedRing(toe.polygon, origin),
    volumeM3,
    finding: {
      gate: "FOOTPRINT_INSIDE",
      severity: "warn",
      value: rounded(volumeM3, 1),
      threshold: rounded(leastM3, 1),
      unit: "m3 of the heap lie outside of the footprint, or below a base on its flank",
      advice:
        `On ${Math.round(100 * toe.share)} % of the footprint's line the ground outside still rises towards the ` +
        `heap, for ${toe.distanceM.toFixed(1)} m. Draw the footprint around the toe (toe_footprint is a ` +
        "proposal) and measure again; until then the interval holds what is left out.",
      images: [],
    },
  };
}
