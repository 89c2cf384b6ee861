import type { GridFrame } from "../../photogrammetry/elevation-grid.ts";
import { roundLength } from "../../photogrammetry/products/map-pictures.ts";
import {
  blankPicture,
  type Colour,
  drawText,
  fillRectangle,
  type Picture,
  textSize,
} from "../../photogrammetry/products/picture.ts";
import type { PlanPolygon } from "../../volume/polygon-weights.ts";
import { drawKeys, drawScale, type Key, type Scale } from "./legend.ts";
import { INK, PAPER } from "./map-colours.ts";
import { fillPolygon, strokeRing } from "./strokes.ts";

/** A map as it is to be drawn. */
export interface PileMap {
  /** Its cells are the map's pixels. */
  readonly window: GridFrame;
  readonly polygon: PlanPolygon;
  readonly outline: Colour;
  /** Colour of a pixel: its place in the map, from the upper left, and its index there. */
  readonly pixel: (col: number, row: number, at: number) => Colour;
  readonly scale?: Scale;
  readonly keys: readonly Key[];
}

/** Narrow maps stand in the middle of this: a legend needs room. */
const MIN_WIDTH_PX = 640;
/** Below the map: arrow, bar and colours; and another row where boxes of the legend are. */
const STRIP_PX = 84;
const KEYS_PX = 34;
const MARGIN_PX = 18;
const LETTERS = 2;

/** The map with the footprint's outline; below it north arrow, scale bar and legend. */
export function drawPileMap(map: PileMap): Picture {
  const { window, polygon, keys } = map;
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
  const ring = polygon.map(
    ([x, y]) =>
      [mapLeft + (x - window.westM) / window.cellM, (window.northM - y) / window.cellM] as const,
  );
  strokeRing(picture, ring, { widthPx: 6, colour: PAPER, opacity: 0.65 });
  strokeRing(picture, ring, { widthPx: 2.6, colour: map.outline });
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

/** An arrow 24 pixels wide and 56 high, its letter below. */
function drawNorthArrow(picture: Picture, left: number, top: number): void {
  const middle = left + 12;
  const tip = [middle, top - 2] as const;
  const notch = [middle, top + 26] as const;
  fillPolygon(picture, [tip, [left + 24, top + 34], notch], INK);
  // The western half is hollow, as on charts.
  strokeRing(picture, [tip, [left, top + 34], notch], { widthPx: 1.6, colour: INK });
  const { width } = textSize("N", LETTERS);
  drawText(picture, "N", { left: middle - (width >> 1), top: top + 42, scale: LETTERS }, INK);
}

/** A bar of 1, 2 or 5 times a power of ten metres, at most a quarter of the picture's width. */
function drawScaleBar(picture: Picture, left: number, top: number, metresPerPx: number): void {
  const lengthM = roundLength(picture.width * 0.25 * metresPerPx);
  const width = Math.round(lengthM / metresPerPx);
  const text = `${lengthM} m`;
  drawText(picture, text, { left, top, scale: LETTERS }, INK);
  fillRectangle(picture, { left, top: top + 19, width, height: 16 }, INK);
  const half = width >> 1;
  fillRectangle(picture, { left: left + 2, top: top + 21, width: half - 2, height: 12 }, PAPER);
}
