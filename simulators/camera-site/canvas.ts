/** Pixels that a picture is painted on: RGB, row-major, upper row first, `width * height * 3` bytes. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray;
}

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A point of a picture, pixels, x to the right and y down. */
export type Spot = readonly [x: number, y: number];

export function createCanvas(width: number, height: number): Canvas {
  return { width, height, pixels: new Uint8ClampedArray(width * height * 3) };
}

/**
 * One of 256 values of a place, 0 to 255, the same at every visit: texture that belongs to the scene and
 * not to the picture. Multipliers of xxHash32 (Y. Collet) and one round of its mixing.
 */
export function grain(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 374_761_393) + Math.imul(y, 668_265_263) + Math.imul(seed, 2_246_822_519);
  h = Math.imul(h ^ (h >>> 13), 1_274_126_177);
  return (h >>> 16) & 255;
}

/** Mixes a colour into one pixel; `share` 1 replaces it. Outside the canvas nothing happens. */
function blend(canvas: Canvas, x: number, y: number, colour: Colour, share: number): void {
  if (x < 0 || y < 0 || x >= canvas.width || y >= canvas.height) return;
  const at = (y * canvas.width + x) * 3;
  const { pixels } = canvas;
  for (let c = 0; c < 3; c += 1) {
    const before = pixels[at + c] ?? 0;
    pixels[at + c] = before + ((colour[c] ?? 0) - before) * share;
  }
}

/** Fills a convex polygon; `share` below 1 lets what is there shine through. */
export function fillConvex(
  canvas: Canvas,
  corners: readonly Spot[],
  colour: Colour,
  share = 1,
): void {
  spans(canvas, corners, (y, from, to) => {
    for (let x = from; x < to; x += 1) blend(canvas, x, y, colour, share);
  });
}

/** Multiplies what a convex polygon covers: a shadow with a factor below 1. */
export function dimConvex(canvas: Canvas, corners: readonly Spot[], factors: Colour): void {
  const { pixels } = canvas;
  spans(canvas, corners, (y, from, to) => {
    let at = (y * canvas.width + from) * 3;
    for (let x = from; x < to; x += 1) {
      for (let c = 0; c < 3; c += 1, at += 1) pixels[at] = (pixels[at] ?? 0) * (factors[c] ?? 1);
    }
  });
}

/** A straight stroke of that width. */
export function stroke(
  canvas: Canvas,
  [x0, y0]: Spot,
  [x1, y1]: Spot,
  widthPx: number,
  colour: Colour,
): void {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length === 0) return;
  const dx = ((x1 - x0) / length) * (widthPx / 2);
  const dy = ((y1 - y0) / length) * (widthPx / 2);
  fillConvex(
    canvas,
    [
      [x0 - dy, y0 + dx],
      [x1 - dy, y1 + dx],
      [x1 + dy, y1 - dx],
      [x0 + dy, y0 - dx],
    ],
    colour,
  );
}

/** Rows of a convex polygon: pixels whose centres are inside, `[from, to)`. */
function spans(
  canvas: Canvas,
  corners: readonly Spot[],
  use: (y: number, from: number, to: number) => void,
): void {
  const ys = corners.map(([, y]) => y);
  const first = Math.max(0, Math.ceil(Math.min(...ys) - 0.5));
  const end = Math.min(canvas.height, Math.ceil(Math.max(...ys) - 0.5));
  for (let y = first; y < end; y += 1) {
    let left = Number.POSITIVE_INFINITY;
    let right = Number.NEGATIVE_INFINITY;
    for (const [i, [x0, y0]] of corners.entries()) {
      const [x1, y1] = corners[(i + 1) % corners.length] ?? [x0, y0];
      const t = (y + 0.5 - y0) / (y1 - y0);
      if (!(t >= 0 && t <= 1)) continue;
      left = Math.min(left, x0 + t * (x1 - x0));
      right = Math.max(right, x0 + t * (x1 - x0));
    }
    const from = Math.max(0, Math.ceil(left - 0.5));
    const to = Math.min(canvas.width, Math.ceil(right - 0.5));
    if (from < to) use(y, from, to);
  }
}
