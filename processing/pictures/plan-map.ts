import type { GridFrame } from "../grid/elevation-grid.ts";
import type { PlanPolygon } from "../grid/polygon-weights.ts";
import { INK, PAPER } from "./ink.ts";
import { drawKeys, drawScale, type Key, type Scale } from "./legend.ts";
import { drawNorthArrow, drawScaleBar } from "./map-signs.ts";
import { blankPicture, type Colour, fillRectangle, type Picture } from "./picture.ts";
import { strokeRing } from "./strokes.ts";

/** A polygon in the frame of the map, and the colour of its line. */
export interface Outline {
  readonly polygon: PlanPolygon;
  readonly colour: Colour;
}

/** A map as it is to be drawn. */
export interface PlanMap {
  /** Its cells are the map's pixels. */
  readonly window: GridFrame;
  readonly outlines: readonly Outline[];
  /** Colour of a pixel: its place in the map, from the upper left, and its index there. */
  readonly pixel: (col: number, row: number, at: number) => Colour;
  readonly scale?: Scale;
  readonly keys: readonly Key[];
}

/** Narrow maps are centred in this width: a legend needs room. */
const MIN_WIDTH_PX = 640;
/** Below the map: arrow, bar and colours; and another row where boxes of the legend are. */
const STRIP_PX = 84;
const KEYS_PX = 34;
const MARGIN_PX = 18;

/** The map with its outlines; below it north arrow, scale bar and legend. */
export function drawPlanMap(map: PlanMap): Picture {
  const { window, keys } = map;
  const width = Math.max(MIN_WIDTH_PX, window.width);
  const strip = STRIP_PX + (keys.length === 0 ? 0 : KEYS_PX);
  const picture = blankPicture(width, window.height + strip);
  const mapLeft = (width - window.width) >> 1;
  for (let row = 0; row < window.height; row += 1) {
    for (let col = 0; col < window.width; col += 1) {
      const [r, g, b] = map.pixel(col, row, row * window.width + col);
      const at = (row * width + mapLeft + col) * 4;
      picture.rgba[at] = Math.round(r);
      picture.rgba[at + 1] = Math.round(g);
      picture.rgba[at + 2] = Math.round(b);
    }
  }
  for (const { polygon, colour } of map.outlines) {
    const ring = polygon.map(
      ([x, y]) =>
        [mapLeft + (x - window.westM) / window.cellM, (window.northM - y) / window.cellM] as const,
    );
    strokeRing(picture, ring, { widthPx: 6, colour: PAPER, opacity: 0.65 });
    strokeRing(picture, ring, { widthPx: 2.6, colour });
  }
  fillRectangle(picture, { left: 0, top: window.height, width, height: 2 }, INK);

  const top = window.height + 16;
  drawNorthArrow(picture, MARGIN_PX, top);
  drawScaleBar(picture, MARGIN_PX + 48, top, window.cellM);
  if (map.scale !== undefined) {
    const scaleWidth = Math.round(width * 0.5);
    // The last tick's text hangs over by half.
    const left = width - 2 * MARGIN_PX - scaleWidth;
    drawScale(picture, map.scale, { left, top, width: scaleWidth });
  }
  drawKeys(picture, keys, { left: MARGIN_PX, top: window.height + STRIP_PX + 4 });
  return picture;
}
