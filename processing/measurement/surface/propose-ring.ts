import { DomainError } from "../../../domain/errors.ts";
import type { Ring } from "../../../domain/geometry/geofence.ts";
import { planOfRing, ringOfPlan } from "../../epoch/plan-ring.ts";
import type { SurveyFacts } from "../../epoch/survey-facts.ts";
import type { SurveyOrigin } from "../../geometry/enu.ts";
import type { PlanPolygon } from "../../grid/polygon-weights.ts";
import { rounded } from "../../numeric/rounding.ts";
import { proposeFootprint } from "../../volume/footprint/propose-footprint.ts";
import { withoutPolygons } from "./without-polygons.ts";

/** Decimals of proposed degrees: a millimetre. */
const DECIMALS = 8;

/**
 * The outline of the heap that stands out most in a survey, other stockpiles' aside.
 * @throws DomainError `IMAGES_UNUSABLE` when none does
 */
export function proposeRing(
  { dsm, origin, georeferencing }: SurveyFacts,
  others: readonly Ring[],
): Ring {
  const free = withoutPolygons(
    dsm,
    others.map((ring) => planOfRing(ring, origin)),
  );
  const polygon = proposeFootprint(free);
  if (polygon === undefined) {
    throw new DomainError(
      "IMAGES_UNUSABLE",
      georeferencing === "given"
        ? "No heap stands out in this surface, and the stockpile has no footprint: draw its footprint, or " +
            "give a surface of all of it."
        : "No heap stands out in these images, and the stockpile has no footprint: draw its footprint, or " +
            "fly over all of it.",
    );
  }
  return proposedRing(polygon, origin);
}

/** A line in plan of the ENU frame at an origin as a footprint to propose. */
export function proposedRing(polygon: PlanPolygon, origin: SurveyOrigin): Ring {
  return ringOfPlan(polygon, origin).map(
    ([lonDeg, latDeg]) => [rounded(lonDeg, DECIMALS), rounded(latDeg, DECIMALS)] as const,
  );
}
