/**
 * Horizontal differencing of eight-bit samples (TIFF 6.0 section 14, Predictor 2): each byte less the
 * one `channels` before it in its row. In place.
 */
export function differenceRows(bytes: Uint8Array, rowBytes: number, channels: number): void {
  for (let row = 0; row < bytes.length; row += rowBytes) {
    for (let i = row + rowBytes - 1; i >= row + channels; i -= 1) {
      bytes[i] = (bytes[i] ?? 0) - (bytes[i - channels] ?? 0);
    }
  }
}

/**
 * Floating point predictor (Adobe Photoshop TIFF Technical Note 3, Predictor 3): the bytes of a row are
 * sorted by significance, highest first, then differenced; heights that change slowly become zeros.
 * @param values little-endian machine order is assumed, as Node's platforms have it
 */
export function predictFloats(values: Float32Array, width: number): Uint8Array {
  const source = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const rowBytes = width * 4;
  const bytes = new Uint8Array(source.length);
  for (let row = 0; row < bytes.length; row += rowBytes) {
    for (let i = 0; i < width; i += 1) {
      const from = row + i * 4;
      for (let plane = 0; plane < 4; plane += 1) {
        bytes[row + plane * width + i] = source[from + 3 - plane] ?? 0;
      }
    }
  }
  differenceRows(bytes, rowBytes, 1);
  return bytes;
}
