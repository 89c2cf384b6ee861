import type { Colour, Picture } from "../../photogrammetry/products/picture.ts";
import type { Key } from "./legend.ts";
import { hatchings, PAPER, reliefGrey } from "./map-colours.ts";
import { drawPileMap } from "./pile-map.ts";
import type { PilePlan } from "./pile-plan.ts";

/** The footprint's line on grey. */
const FOOTPRINT_LINE: Colour = [214, 72, 10];

export const NO_DATA_KEY: Key = { text: "no data", colour: PAPER, hatching: "noData" };

/** Relief of the pile and the ground around it, with the footprint. */
export function hillshadeMap({ input, window, shades }: PilePlan): Picture {
  return drawPileMap({
    window,
    polygon: input.polygon,
    outline: FOOTPRINT_LINE,
    pixel: (col, row, at) => {
      const shade = shades[at] ?? Number.NaN;
      return Number.isNaN(shade) ? hatchings.noData(col, row) : reliefGrey(shade);
    },
    keys: shades.some(Number.isNaN) ? [NO_DATA_KEY] : [],
  });
}
