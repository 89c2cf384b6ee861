/**
 * Draws a picture out (`share` above 1) or presses it (below) in height about its middle, rows between rows
 * linearly; the size stays, what is missing repeats the outermost row. RGB, row-major, top row first.
 */
export function stretchHeight(pixels: Uint8Array, widthPx: number, share: number): Uint8Array {
  const stride = widthPx * 3;
  const last = pixels.length / stride - 1;
  const stretched = new Uint8Array(pixels.length);
  for (let row = 0; row <= last; row += 1) {
    const from = Math.min(last, Math.max(0, last / 2 + (row - last / 2) / share));
    const above = Math.min(last - 1, Math.floor(from));
    const part = from - above;
    for (let i = 0; i < stride; i += 1) {
      const upper = pixels[above * stride + i] ?? 0;
      const lower = pixels[(above + 1) * stride + i] ?? 0;
      stretched[row * stride + i] = Math.round(upper + part * (lower - upper));
    }
  }
  return stretched;
}
