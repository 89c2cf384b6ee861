/** Size that views are compared at, pixels: whatever an image's size, its shares of width and height count. */
export const FRAME = { width: 512, height: 256 } as const;

/** A picture as it is worked on: red, green, blue of one byte each, row-major from the top left. */
export interface ViewPixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Luminance (Rec. 601 weights, 0 to 255) of a picture at {@link FRAME}, each pixel the mean of what it covers. */
export function frameLuminance({ width, height, rgb }: ViewPixels): Float32Array {
  const wide = new Float32Array(FRAME.width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < FRAME.width; x++) {
      const { from, to } = spanOf(x, FRAME.width, width);
      let sum = 0;
      for (let u = from; u < to; u++) {
        const i = (y * width + u) * 3;
        sum += 0.299 * (rgb[i] ?? 0) + 0.587 * (rgb[i + 1] ?? 0) + 0.114 * (rgb[i + 2] ?? 0);
      }
      wide[y * FRAME.width + x] = sum / (to - from);
    }
  }
  const frame = new Float32Array(FRAME.width * FRAME.height);
  for (let y = 0; y < FRAME.height; y++) {
    const { from, to } = spanOf(y, FRAME.height, height);
    for (let x = 0; x < FRAME.width; x++) {
      let sum = 0;
      for (let v = from; v < to; v++) sum += wide[v * FRAME.width + x] ?? 0;
      frame[y * FRAME.width + x] = sum / (to - from);
    }
  }
  return frame;
}

/** The source pixels that a pixel of the frame covers: one at least, where the picture is smaller. */
function spanOf(at: number, frame: number, size: number): { from: number; to: number } {
  const from = Math.min(size - 1, Math.floor((at * size) / frame));
  return { from, to: Math.max(from + 1, Math.floor(((at + 1) * size) / frame)) };
}
