import { FOOT_M } from "../../domain/geometry/length-units.ts";
import { sampledMedian } from "../engine/raster/clean-heights.ts";
import type { GateFinding } from "../gates/gates.ts";
import type { SurveyOrigin } from "../geometry/enu.ts";
import type { ElevationGrid } from "../grid/elevation-grid.ts";
import { rounded } from "../numeric/rounding.ts";

/** What the unit of a given surface is checked by. */
interface GivenHeight {
  readonly isUnitStated: boolean;
  /** Median of its heights if they are metres. */
  readonly heightM: number;
}

/**
 * Two surveys of one place differ by less than this in height, whatever their heights count from, metres. Less
 * suspects sound surveys of feet, more overlooks feet on low ground.
 */
const LEAST_OFF_M = 10;
/**
 * As feet the heights agree so many times as well. Less suspects chance, more overlooks surveys whose ground has
 * changed.
 */
const BETTER = 10;

/** Median height of a survey, metres, above whatever its heights count from; NaN: it has none. */
export const medianHeightM = ({ origin, dsm }: SurveyHeights): number =>
  origin.heightM + sampledMedian(dsm.elevationM);

interface SurveyHeights {
  readonly origin: Pick<SurveyOrigin, "heightM">;
  readonly dsm: Pick<ElevationGrid, "elevationM">;
}

/**
 * Warns of a surface that names no unit and lies as high above a survey of the same place as feet do that are
 * read as metres. Level ground has no slopes that would show it.
 * @param surveyM median height of the survey, metres
 */
export function checkUnitBeside(
  { isUnitStated, heightM }: GivenHeight,
  surveyM: number,
): readonly GateFinding[] {
  const offM = Math.abs(heightM - surveyM);
  // The US survey foot differs by 2 millionths.
  const offAsFeetM = Math.abs(heightM * FOOT_M - surveyM);
  // Also false where a height is missing.
  const isDoubted = offM > LEAST_OFF_M && offAsFeetM * BETTER < offM;
  if (isUnitStated || !isDoubted) return [];
  return [
    {
      gate: "SURFACE_UNIT",
      severity: "warn",
      value: rounded(offM, 1),
      threshold: LEAST_OFF_M,
      unit: `m between its heights, if they are metres, and the survey's; ${rounded(offAsFeetM, 1)} m if they are feet`,
      advice:
        'The raster does not state the unit of its heights: if they are feet, give it again with surface_height_unit "ft" or "us-ft".',
      images: [],
    },
  ];
}
