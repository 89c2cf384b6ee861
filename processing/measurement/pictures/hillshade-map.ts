import { PAPER } from "../../pictures/ink.ts";
import type { Key } from "../../pictures/legend.ts";
import { hatchings, reliefGrey } from "../../pictures/map-colours.ts";
import type { Colour, Picture } from "../../pictures/picture.ts";
import { drawPlanMap } from "../../pictures/plan-map.ts";
import type { PilePlan } from "./pile-plan.ts";

/** The footprint's line on grey. */
const FOOTPRINT_LINE: Colour = [214, 72, 10];

export const NO_DATA_KEY: Key = { text: "no data", colour: PAPER, hatching: "noData" };

/** Relief of the pile and the ground around it, with the footprint. */
export function hillshadeMap({ input, window, shades }: PilePlan): Picture {
  return drawPlanMap({
    window,
    outlines: [{ polygon: input.polygon, colour: FOOTPRINT_LINE }],
    pixel: (col, row, at) => {
      const shade = shades[at] ?? Number.NaN;
      return Number.isNaN(shade) ? hatchings.noData(col, row) : reliefGrey(shade);
    },
    keys: shades.some(Number.isNaN) ? [NO_DATA_KEY] : [],
  });
}
