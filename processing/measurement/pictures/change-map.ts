import { SIGMAS_95 } from "../../../domain/sites/measurement.ts";
import { elevationAt } from "../../grid/elevation-at.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";
import { MAD_TO_SIGMA, upperMedian } from "../../numeric/median.ts";
import { tickStep } from "../../page/ticks.ts";
import { changeColours, UNCHANGED } from "../../pictures/change-colour.ts";
import { INK } from "../../pictures/ink.ts";
import { hatchings, shaded } from "../../pictures/map-colours.ts";
import type { Picture } from "../../pictures/picture.ts";
import { drawPlanMap } from "../../pictures/plan-map.ts";
import { NO_DATA_KEY } from "./hillshade-map.ts";
import { drawnBetween, insideShares, type PilePlan } from "./pile-plan.ts";
import { highestOf } from "./value-range.ts";

/**
 * Fewer cells of ground outside the footprint do not determine the noise. More falls back to the usual noise
 * sooner.
 */
const MIN_CELLS = 200;
/** Noise where the ground does not determine it, and its least, metres: two surfaces of 2 cm each. */
const USUAL_NOISE_M = 0.06;
const LEAST_NOISE_M = 0.03;
/**
 * Colours never span less than this many times the noise. Less paints noise in strong colours, more leaves small
 * changes pale.
 */
const NOISE_SPANS = 4;
const SHADE_FLOOR = 0.7;
const TICKS = 8;

/**
 * What came and went since an earlier surface: blue added, red removed, grey within the noise, which is
 * what the two differ by on the ground outside the footprint (95 %).
 */
export function changeMap(plan: PilePlan, previous: HeightField): Picture {
  const { input, window, cells, shades, inside } = plan;
  const { ofCells, ofPixels } = drawnBetween(plan, (z, x, y) => z - elevationAt(previous, x, y));
  const noiseM = noiseOf(ofCells, insideShares(cells, input.polygon));
  const size = ofPixels.map(Math.abs);
  const most = Math.max(NOISE_SPANS * noiseM, highestOf(size, inside));
  const step = tickStep(2 * most, TICKS);
  const top = Math.ceil(most / step - 1e-6) * step;
  const colour = changeColours(noiseM, top);
  const hasGaps = ofPixels.some(Number.isNaN);
  return drawPlanMap({
    window,
    outlines: [{ polygon: input.polygon, colour: INK }],
    pixel: (col, row, at) => {
      const change = ofPixels[at] ?? Number.NaN;
      if (Number.isNaN(change)) return hatchings.noData(col, row);
      return shaded(colour(change), shades[at] ?? 128, SHADE_FLOOR);
    },
    scale: { title: "change: - removed, + added, m", low: -top, high: top, step, colour },
    keys: [
      { text: `within the noise: ${noiseM.toFixed(2)} m`, colour: UNCHANGED },
      ...(hasGaps ? [NO_DATA_KEY] : []),
    ],
  });
}

/** 1.96 normalised median absolute deviations of the differences on cells wholly outside, metres. */
function noiseOf(differences: Float32Array, inside: Float32Array): number {
  const outside = differences
    .filter((difference, i) => inside[i] === 0 && !Number.isNaN(difference))
    .map(Math.abs);
  if (outside.length < MIN_CELLS) return USUAL_NOISE_M;
  const nmad = MAD_TO_SIGMA * (upperMedian(outside) ?? 0);
  return Math.max(LEAST_NOISE_M, SIGMAS_95 * nmad);
}
