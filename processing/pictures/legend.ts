import { ticksOf, tickText } from "../page/ticks.ts";
import { INK } from "./ink.ts";
import { hatchings } from "./map-colours.ts";
import { type Colour, drawText, fillRectangle, type Picture, textSize } from "./picture.ts";

/** Colours of a legend. */
export interface Scale {
  /** What they mean, in letters that `drawText` has. */
  readonly title: string;
  readonly low: number;
  readonly high: number;
  /** Ticks are at its multiples. */
  readonly step: number;
  readonly colour: (value: number) => Colour;
}

/** A box of a legend beside the colours: what a cell means that has none of them. */
export interface Key {
  readonly text: string;
  readonly colour: Colour;
  readonly hatching?: keyof typeof hatchings;
}

const LETTERS = 2;
const BAR_PX = 14;

/** The scale's title, colours and ticks in a rectangle 60 pixels high. */
export function drawScale(
  picture: Picture,
  { title, low, high, step, colour }: Scale,
  at: { readonly left: number; readonly top: number; readonly width: number },
): void {
  drawText(picture, title, { left: at.left, top: at.top, scale: LETTERS }, INK);
  const top = at.top + 20;
  fillRectangle(
    picture,
    { left: at.left - 1, top: top - 1, width: at.width + 2, height: BAR_PX + 2 },
    INK,
  );
  for (let x = 0; x < at.width; x += 1) {
    const [r, g, b] = colour(low + ((x + 0.5) / at.width) * (high - low));
    const whole: Colour = [Math.round(r), Math.round(g), Math.round(b)];
    fillRectangle(picture, { left: at.left + x, top, width: 1, height: BAR_PX }, whole);
  }
  for (const tick of ticksOf(low, high, step)) {
    const sign = low < 0 && tick > step / 2 ? "+" : "";
    const text = sign + tickText(tick, step);
    const x = at.left + Math.round(((tick - low) / (high - low)) * at.width);
    fillRectangle(picture, { left: x - 1, top: top + BAR_PX, width: 2, height: 5 }, INK);
    const { width } = textSize(text, LETTERS);
    const left = Math.min(picture.width - width - 2, x - (width >> 1));
    drawText(picture, text, { left, top: top + BAR_PX + 9, scale: LETTERS }, INK);
  }
}

/** Boxes with their meaning, one beside the other. */
export function drawKeys(
  picture: Picture,
  keys: readonly Key[],
  at: { readonly left: number; readonly top: number },
): void {
  let { left } = at;
  for (const { text, colour, hatching } of keys) {
    fillRectangle(picture, { left, top: at.top, width: 28, height: 16 }, INK);
    for (let y = at.top + 1; y < at.top + 15; y += 1) {
      for (let x = left + 1; x < left + 27; x += 1) {
        const line = hatching === undefined ? undefined : hatchings[hatching](x, y);
        fillRectangle(picture, { left: x, top: y, width: 1, height: 1 }, line ?? colour);
      }
    }
    drawText(picture, text, { left: left + 36, top: at.top + 1, scale: LETTERS }, INK);
    left += 36 + textSize(text, LETTERS).width + 28;
  }
}
