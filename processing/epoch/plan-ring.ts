import type { Ring } from "../../domain/geometry/geofence.ts";
import { createEnuFrame, type SurveyOrigin } from "../geometry/enu.ts";
import type { PlanPolygon } from "../grid/polygon-weights.ts";

/** A ring in plan of the ENU frame at an origin, metres, not closed. */
export function planOfRing(ring: Ring, origin: SurveyOrigin): PlanPolygon {
  const frame = createEnuFrame(origin);
  return ring.slice(0, -1).map(([lonDeg, latDeg]) => {
    const [x, y] = frame.toEnu({ lonDeg, latDeg, heightM: origin.heightM });
    return [x, y] as const;
  });
}

/** The inverse of {@link planOfRing}. */
export function ringOfPlan(polygon: PlanPolygon, origin: SurveyOrigin): Ring {
  const frame = createEnuFrame(origin);
  const corners = polygon.map(([x, y]) => {
    const { lonDeg, latDeg } = frame.toGeodetic([x, y, 0]);
    return [lonDeg, latDeg] as const;
  });
  const [first] = corners;
  return first === undefined ? [] : [...corners, first];
}
