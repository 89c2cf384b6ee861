/**
 * Median of the known values in a window of `2 * radius + 1` cells around each known cell (the upper
 * one of two middles); NaN = not known, and stays so. Radius 0 copies.
 */
export function medianOfKnown(
  values: Float32Array,
  width: number,
  height: number,
  radius: number,
): Float32Array {
  if (radius === 0) return values.slice();
  const out = new Float32Array(values.length);
  const window = new Float32Array((2 * radius + 1) ** 2);
  for (let y = 0; y < height; y += 1) {
    const top = Math.max(0, y - radius);
    const bottom = Math.min(height - 1, y + radius);
    for (let x = 0; x < width; x += 1) {
      const own = values[y * width + x] ?? 0;
      if (Number.isNaN(own)) {
        out[y * width + x] = own;
        continue;
      }
      const right = Math.min(width - 1, x + radius);
      let count = 0;
      for (let j = top; j <= bottom; j += 1) {
        for (let i = Math.max(0, x - radius); i <= right; i += 1) {
          const value = values[j * width + i] ?? 0;
          if (Number.isNaN(value)) continue;
          // Insertion: for windows of 9 to 25 values faster than any call of sort.
          let place = count;
          for (; place > 0 && (window[place - 1] ?? 0) > value; place -= 1) {
            window[place] = window[place - 1] ?? 0;
          }
          window[place] = value;
          count += 1;
        }
      }
      out[y * width + x] = window[count >> 1] ?? 0;
    }
  }
  return out;
}
