import type { Ring } from "../../domain/geometry/geofence.ts";
import { ringOfPlan } from "../../processing/epoch/plan-ring.ts";
import { createRandom } from "../../simulators/randomness/random.ts";
import type { SurveyTruth, TruePile } from "../../simulators/survey/truth/truth.ts";

/** Corners that a person clicks round a pile. Chosen. */
const CORNERS = 16;
/** Beyond the outline of the truth, which lies 0.4 m outside of all material, metres: 0.5 to 1 m in all. */
const BEYOND_M = [0.1, 0.6] as const;

/** The footprint of a pile as a person draws it on a map that is right: 0.5 to 1 m of ground around the toe. */
export function drawnFootprint(
  { centre, outline }: TruePile,
  { origin, options }: SurveyTruth,
): Ring {
  const random = createRandom(`footprint-${options.seed}`);
  const [x, y] = centre;
  const awayM = outline.map(([e, n]) => Math.hypot(e - x, n - y));
  const step = outline.length / CORNERS;
  const polygon = Array.from({ length: CORNERS }, (_, i) => {
    const near = Array.from({ length: 2 * step + 1 }, (_, k) =>
      Math.floor((i - 1) * step + k + outline.length),
    ).map((k) => awayM[k % outline.length] ?? 0);
    // Between two corners the edge runs inside of the circle through them.
    const reachM = (Math.max(...near) + random.uniform(...BEYOND_M)) / Math.cos(Math.PI / CORNERS);
    const angle = (2 * Math.PI * i) / CORNERS;
    return [x + reachM * Math.cos(angle), y + reachM * Math.sin(angle)] as const;
  });
  return ringOfPlan(polygon, origin);
}
