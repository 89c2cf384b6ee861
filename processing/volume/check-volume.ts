import { LIMITS } from "../gates/gate-thresholds.ts";
import type { GateFinding } from "../gates/gates.ts";
import type { ElevationGrid } from "../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../grid/polygon-weights.ts";
import { asPercent, rounded } from "../numeric/rounding.ts";
import type { BaseSurface } from "./base/base-surface.ts";
import { volumeAbove } from "./volume-above.ts";

/**
 * Gates of one measured polygon: POLYGON_OUTSIDE, COVERAGE and BASE_BAD, of which the first that applies
 * explains the others and is the only one given. Empty: a volume may be published.
 * @param surveyed cells of the surface that lie within three views, 1 or 0 each (`surveyedCells`)
 * @param base base of the volume; `undefined`: the ground around it gave none
 * @param isGiven whether somebody else made the surface: advice is about the raster then, not about a flight
 */
export function checkVolume(
  surface: ElevationGrid,
  surveyed: Uint8Array,
  polygon: PlanPolygon,
  base: BaseSurface | undefined,
  { isGiven }: { readonly isGiven: boolean } = { isGiven: false },
): readonly GateFinding[] {
  const { surveyedShare, measuredShare } = sharesOf(surface, surveyed, polygon);
  if (surveyedShare < LIMITS.polygonSurveyed) {
    return [
      rejection({
        gate: "POLYGON_OUTSIDE",
        value: asPercent(surveyedShare),
        threshold: asPercent(LIMITS.polygonSurveyed),
        unit: `% of the polygon lie within ${isGiven ? "the raster" : "three images"}`,
        advice: isGiven
          ? "The polygon lies outside of the raster: check the polygon and the raster's coordinate system."
          : "The polygon lies outside of what was flown: check the polygon, or fly over it.",
      }),
    ];
  }
  if (measuredShare < LIMITS.coverage) {
    return [
      rejection({
        gate: "COVERAGE",
        value: asPercent(measuredShare),
        threshold: asPercent(LIMITS.coverage),
        unit: isGiven
          ? "% of the polygon have a height in the raster"
          : "% of the polygon were measured in three views",
        advice: isGiven
          ? "The raster has no heights in the rest: give one without holes there, or check the polygon."
          : "Fly on until three strips lie beyond the pile on each side, with 75 % overlap along and " +
            "65 % across; wet, glossy and moving things leave holes as well.",
      }),
    ];
  }
  if (base === undefined) {
    return [
      rejection({
        gate: "BASE_BAD",
        value: 0,
        threshold: 1,
        unit: "planes through the ground around the polygon",
        advice:
          `Hardly any ground around the polygon ${isGiven ? "is in the raster" : "was measured"}: draw it along ` +
          `the toe, away from the ${isGiven ? "raster" : "survey"}'s edge, or give a level or an earlier survey as the base.`,
      }),
    ];
  }
  const { meanHeightM } = volumeAbove(surface, polygon, base);
  const allowedM = LIMITS.baseSpread * Math.abs(meanHeightM);
  if (base.nmadM <= allowedM) return [];
  return [
    rejection({
      gate: "BASE_BAD",
      value: rounded(base.nmadM, 3),
      threshold: rounded(allowedM, 3),
      unit: "m that the ground around the polygon differs from a plane",
      advice:
        "The ground around the pile is too rough for its height: draw the polygon along the toe, or " +
        "give a level or an earlier survey as the base.",
    }),
  ];
}

/** Shares of a polygon's area, 0 to 1. */
interface Shares {
  /** Within three images. */
  readonly surveyedShare: number;
  /** With a height that three views saw and agree on well enough. */
  readonly measuredShare: number;
}

function sharesOf(surface: ElevationGrid, surveyed: Uint8Array, polygon: PlanPolygon): Shares {
  const { width, height, elevationM, score, views } = surface;
  const weights = polygonWeights(surface, polygon);
  let area = 0;
  let inSurvey = 0;
  let measured = 0;
  for (let r = 0; r < weights.height; r += 1) {
    for (let c = 0; c < weights.width; c += 1) {
      const share = weights.share[r * weights.width + c] ?? 0;
      area += share;
      const [row, col] = [weights.firstRow + r, weights.firstCol + c];
      if (share === 0 || row < 0 || col < 0 || row >= height || col >= width) continue;
      const cell = row * width + col;
      if (surveyed[cell] !== 1) continue;
      inSurvey += share;
      const isKnown = !Number.isNaN(elevationM[cell] ?? Number.NaN);
      const isSure = (score[cell] ?? 0) >= LIMITS.score && (views[cell] ?? 0) >= LIMITS.views;
      // Holes below 1 m that were filled have no view of their own: their rim was measured.
      const isFilled = views[cell] === 0;
      if (isKnown && (isSure || isFilled)) measured += share;
    }
  }
  return area === 0
    ? { surveyedShare: 0, measuredShare: 0 }
    : { surveyedShare: inSurvey / area, measuredShare: measured / area };
}

function rejection(finding: Omit<GateFinding, "severity" | "images">): GateFinding {
  return { ...finding, severity: "reject", images: [] };
}
