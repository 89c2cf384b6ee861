import { GLYPHS } from "./glyphs.ts";

/** A picture before it is encoded: four bytes a pixel, red, green, blue, alpha; top row first. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

export type Colour = readonly [number, number, number];

const GLYPH_WIDTH = 5;
const GLYPH_HEIGHT = 7;

/** A white picture. */
export function blankPicture(width: number, height: number): Picture {
  return { width, height, rgba: new Uint8Array(width * height * 4).fill(255) };
}

export function fillRectangle(
  picture: Picture,
  { left, top, width, height }: Rectangle,
  colour: Colour,
): void {
  for (let y = Math.max(0, top); y < Math.min(picture.height, top + height); y += 1) {
    for (let x = Math.max(0, left); x < Math.min(picture.width, left + width); x += 1) {
      picture.rgba.set([...colour, 255], (y * picture.width + x) * 4);
    }
  }
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Writes the letters, digits and signs of ASCII that names and legends need; what has no glyph is left blank. */
export function drawText(
  picture: Picture,
  text: string,
  at: { readonly left: number; readonly top: number; readonly scale: number },
  colour: Colour,
): void {
  const { scale } = at;
  for (const [i, character] of [...text].entries()) {
    for (const [row, bits] of (GLYPHS[character] ?? []).entries()) {
      for (let col = 0; col < GLYPH_WIDTH; col += 1) {
        if (((bits >> (GLYPH_WIDTH - 1 - col)) & 1) === 0) continue;
        const left = at.left + (i * (GLYPH_WIDTH + 1) + col) * scale;
        const top = at.top + row * scale;
        fillRectangle(picture, { left, top, width: scale, height: scale }, colour);
      }
    }
  }
}

/** Size that {@link drawText} takes, pixels. */
export function textSize(text: string, scale: number): { width: number; height: number } {
  return { width: (text.length * (GLYPH_WIDTH + 1) - 1) * scale, height: GLYPH_HEIGHT * scale };
}
