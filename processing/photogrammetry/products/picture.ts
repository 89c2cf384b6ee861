/** A picture before it is encoded: four bytes a pixel, red, green, blue, alpha; top row first. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

export type Colour = readonly [number, number, number];

/** Letters of 5 x 7 pixels, a row a number, highest bit left: pictures must not depend on fonts installed. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  "0": [14, 17, 19, 21, 25, 17, 14],
  "1": [4, 12, 4, 4, 4, 4, 14],
  "2": [14, 17, 1, 2, 4, 8, 31],
  "3": [31, 2, 4, 2, 1, 17, 14],
  "4": [2, 6, 10, 18, 31, 2, 2],
  "5": [31, 16, 30, 1, 1, 17, 14],
  "6": [6, 8, 16, 30, 17, 17, 14],
  "7": [31, 1, 2, 4, 8, 8, 8],
  "8": [14, 17, 17, 14, 17, 17, 14],
  "9": [14, 17, 17, 15, 1, 2, 12],
  ".": [0, 0, 0, 0, 0, 12, 12],
  ",": [0, 0, 0, 0, 12, 4, 8],
  ":": [0, 12, 12, 0, 12, 12, 0],
  "-": [0, 0, 0, 31, 0, 0, 0],
  "+": [0, 4, 4, 31, 4, 4, 0],
  a: [0, 0, 14, 1, 15, 17, 15],
  b: [16, 16, 22, 25, 17, 17, 30],
  c: [0, 0, 14, 16, 16, 17, 14],
  d: [1, 1, 13, 19, 17, 17, 15],
  e: [0, 0, 14, 17, 31, 16, 14],
  f: [6, 9, 8, 28, 8, 8, 8],
  g: [0, 15, 17, 17, 15, 1, 14],
  h: [16, 16, 22, 25, 17, 17, 17],
  i: [4, 0, 12, 4, 4, 4, 14],
  k: [16, 16, 18, 20, 24, 20, 18],
  l: [12, 4, 4, 4, 4, 4, 14],
  m: [0, 0, 26, 21, 21, 21, 21],
  n: [0, 0, 22, 25, 17, 17, 17],
  o: [0, 0, 14, 17, 17, 17, 14],
  p: [0, 0, 30, 17, 30, 16, 16],
  r: [0, 0, 22, 25, 16, 16, 16],
  s: [0, 0, 14, 16, 14, 1, 30],
  t: [8, 8, 28, 8, 8, 9, 6],
  u: [0, 0, 17, 17, 17, 19, 13],
  v: [0, 0, 17, 17, 17, 10, 4],
  w: [0, 0, 17, 17, 21, 21, 10],
  N: [17, 25, 21, 19, 17, 17, 17],
};
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

/** Writes digits and small letters, as legends need them; what has no glyph is left blank. */
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
