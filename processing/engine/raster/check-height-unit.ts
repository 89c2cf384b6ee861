import { FOOT_M } from "../../../domain/geometry/length-units.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { asPercent } from "../../numeric/rounding.ts";

/** Heights of a raster, metres if they are; row-major; NaN = no data. */
interface Heights {
  readonly heights: Float32Array;
  readonly columns: number;
  readonly rows: number;
  readonly cellM: number;
}

/** Slopes are taken over twice this, metres: noise of 5 cm then makes 3 degrees. */
const REACH_M = 0.5;
/** Gradients (tangents): what counts as relief, 15 degrees, and what loose material never reaches, 55 degrees. */
const RELIEF = 0.27;
const STEEP = 1.43;
/** As feet the steep must be slopes of up to 45 degrees; rock faces are not. */
const STEEPEST = 1 / FOOT_M;
/** A slope bends by less than this share of its rise over the reach; walls and edges bend by all of it. */
const BEND = 0.35;
/** Share of the relief that is steep from which on metres are doubted: flanks at 35 degrees in feet make 60 to 100 %. */
const STEEP_SHARE = 0.3;
/** Fewer steep places are a trench or a step. */
const LEAST_PLACES = 50;

/**
 * Warns of heights that name no unit and make no sense in metres: in feet, slopes come out 3.28 times as
 * steep, and heaps lie at 66 degrees. Walls and edges do not count: only slopes that are straight over a
 * metre.
 */
export function checkHeightUnit({
  heights,
  columns,
  rows,
  cellM,
}: Heights): readonly GateFinding[] {
  const reach = Math.max(1, Math.round(REACH_M / cellM));
  const spanM = reach * cellM;
  let [relief, steep, steepest] = [0, 0, 0];
  const at = (i: number) => heights[i] ?? Number.NaN;
  for (let row = reach; row + reach < rows; row += reach) {
    for (let column = reach; column + reach < columns; column += reach) {
      const i = row * columns + column;
      const z = at(i);
      const [west, east] = [at(i - reach), at(i + reach)];
      const [north, south] = [at(i - reach * columns), at(i + reach * columns)];
      const rise = Math.hypot(east - west, south - north) / 2;
      const bend = Math.max(Math.abs(east + west - 2 * z), Math.abs(south + north - 2 * z));
      const slope = rise / spanM;
      // Also false where a height is missing.
      if (!(slope > RELIEF && bend < BEND * rise)) continue;
      relief += 1;
      if (slope > STEEP) steep += 1;
      if (slope > STEEPEST) steepest += 1;
    }
  }
  const share = relief === 0 ? 0 : steep / relief;
  if (steep < LEAST_PLACES || share < STEEP_SHARE || steepest > steep / 4) return [];
  return [
    {
      gate: "SURFACE_UNIT",
      severity: "warn",
      value: asPercent(share),
      threshold: asPercent(STEEP_SHARE),
      unit: "% of the slopes steeper than 55 degrees, if heights are metres",
      advice:
        "The raster does not state the unit of its heights, and loose material does not stand so steep. If they " +
        'are feet, volumes here are 3.28 times too large: give it again with surface_height_unit "ft" or "us-ft".',
      images: [],
    },
  ];
}
