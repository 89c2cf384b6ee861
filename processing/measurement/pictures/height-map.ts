import { tickStep } from "../../page/ticks.ts";
import { paleViridis } from "../../pictures/colour-ramp.ts";
import { INK } from "../../pictures/ink.ts";
import type { Key } from "../../pictures/legend.ts";
import { hatchings, reliefGrey, shaded } from "../../pictures/map-colours.ts";
import type { Colour, Picture } from "../../pictures/picture.ts";
import { drawPlanMap } from "../../pictures/plan-map.ts";
import { NO_DATA_KEY } from "./hillshade-map.ts";
import { drawnBetween, type PilePlan } from "./pile-plan.ts";
import { highestOf } from "./value-range.ts";

/**
 * Cells deeper below the base than this, metres, and than twice the ground's spread about it get a colour of their
 * own. Less marks noise as dug, more hides shallow pits.
 */
const BELOW_M = 0.05;
const BELOW_COLOUR: Colour = [196, 96, 140];
/**
 * Colours never span less, metres: noise on an empty place must not look like heaps. Larger leaves low heaps pale.
 */
const MIN_SPAN_M = 0.5;
/**
 * Contours and ticks of the legend: at most this many in the span. More crowds the map, fewer shows less of the
 * shape.
 */
const CONTOURS = 12;
/** A contour's width, pixels, and what it takes of the colour. */
const CONTOUR_PX = 1.3;
const CONTOUR_SHADE = 0.5;
/**
 * Where it is flatter than this, metres a metre, a contour would only follow the noise. Higher leaves gentle
 * slopes without contours.
 */
const CONTOUR_SLOPE = 0.08;
/** What lines of the hatching leave of the colour below them. */
const HATCHING_LIGHT = 0.4;
const SHADE_FLOOR = 0.35;

/** Height above the base as colours on the relief, with contours; the ground around in grey. */
export function heightMap(plan: PilePlan): Picture {
  const { input, window, shades, inside, interpolated } = plan;
  const above = drawnBetween(plan, (z, x, y) => z - input.base.heightAt(x, y)).ofPixels;
  const highest = Math.max(MIN_SPAN_M, highestOf(above, inside));
  const step = tickStep(highest, CONTOURS);
  const top = Math.ceil(highest / step - 1e-6) * step;
  const below = -Math.max(BELOW_M, 2 * input.base.nmadM);
  const colour = (heightM: number) => (heightM < below ? BELOW_COLOUR : paleViridis(heightM / top));
  const pixel = (col: number, row: number, at: number): Colour => {
    const shade = shades[at] ?? Number.NaN;
    const ground = Number.isNaN(shade) ? hatchings.noData(col, row) : reliefGrey(shade);
    const share = inside[at] ?? 0;
    if (share === 0) return ground;
    const height = above[at] ?? Number.NaN;
    if (Number.isNaN(height)) return hatchings.noData(col, row);
    const [r, g, b] = shaded(colour(height), shade, SHADE_FLOOR);
    const isLine = interpolated[at] === 1 && hatchings.interpolated(col, row) !== undefined;
    const contour = 1 - CONTOUR_SHADE * contourShare(above, window, col, row, step);
    const light = contour * (isLine ? HATCHING_LIGHT : 1);
    return [
      ground[0] + (r * light - ground[0]) * share,
      ground[1] + (g * light - ground[1]) * share,
      ground[2] + (b * light - ground[2]) * share,
    ];
  };
  return drawPlanMap({
    window,
    outlines: [{ polygon: input.polygon, colour: INK }],
    pixel,
    scale: { title: "height above base, m", low: 0, high: top, step, colour },
    keys: keysOf(plan, above, below),
  });
}

/** Boxes for what occurs. */
function keysOf({ shades, inside, interpolated }: PilePlan, above: Float32Array, below: number) {
  const isInside = (at: number) => (inside[at] ?? 0) > 0;
  const keys: Key[] = [];
  if (above.some((height, at) => height < below && isInside(at))) {
    keys.push({ text: "below base", colour: BELOW_COLOUR });
  }
  if (interpolated.some((flag, at) => flag === 1 && isInside(at))) {
    keys.push({ text: "interpolated", colour: paleViridis(0.5), hatching: "interpolated" });
  }
  if (above.some((h, at) => Number.isNaN(h) && isInside(at)) || shades.some(Number.isNaN)) {
    keys.push(NO_DATA_KEY);
  }
  return keys;
}

/** How much a contour covers a pixel, 0 to 1: from the height's distance to it over the slope. */
function contourShare(
  above: Float32Array,
  { width, height, cellM }: { width: number; height: number; cellM: number },
  col: number,
  row: number,
  step: number,
): number {
  if (col === 0 || row === 0 || col === width - 1 || row === height - 1) return 0;
  const at = row * width + col;
  const h = above[at] ?? Number.NaN;
  const level = Math.round(h / step) * step;
  if (level === 0) return 0;
  const across = ((above[at + 1] ?? Number.NaN) - (above[at - 1] ?? Number.NaN)) / 2;
  const down = ((above[at + width] ?? Number.NaN) - (above[at - width] ?? Number.NaN)) / 2;
  const perPixel = Math.hypot(across, down);
  if (!(perPixel > CONTOUR_SLOPE * cellM)) return 0;
  return Math.max(0, Math.min(1, CONTOUR_PX / 2 + 0.5 - Math.abs(h - level) / perPixel));
}
