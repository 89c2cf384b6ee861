import { INK, PAPER } from "./ink.ts";
import { roundLength } from "./map-pictures.ts";
import { drawText, fillRectangle, type Picture, textSize } from "./picture.ts";
import { fillPolygon, strokeRing } from "./strokes.ts";

const LETTERS = 2;

/** An arrow 24 pixels wide and 56 high, its letter below. */
export function drawNorthArrow(picture: Picture, left: number, top: number): void {
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
export function drawScaleBar(
  picture: Picture,
  left: number,
  top: number,
  metresPerPx: number,
): void {
  const lengthM = roundLength(picture.width * 0.25 * metresPerPx);
  const width = Math.round(lengthM / metresPerPx);
  const text = `${lengthM} m`;
  drawText(picture, text, { left, top, scale: LETTERS }, INK);
  fillRectangle(picture, { left, top: top + 19, width, height: 16 }, INK);
  const half = width >> 1;
  fillRectangle(picture, { left: left + 2, top: top + 21, width: half - 2, height: 12 }, PAPER);
}
