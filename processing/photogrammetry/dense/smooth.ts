/**
 * Mean of the heights in a window of `2 * radius + 1` cells that differ from the cell's own by at most
 * `jumpM`: takes the roughness off and leaves edges (the sigma filter of Lee 1983). No NaN in or out.
 */
export function smoothSurface(
  values: Float32Array,
  width: number,
  height: number,
  radius: number,
  jumpM: number,
): Float32Array {
  const out = new Float32Array(values.length);
  for (let y = 0; y < height; y += 1) {
    const top = Math.max(0, y - radius);
    const bottom = Math.min(height - 1, y + radius);
    for (let x = 0; x < width; x += 1) {
      // Same reach to both sides: at the border a slope would tilt else.
      const reach = Math.min(radius, x, width - 1 - x);
      const own = values[y * width + x] ?? 0;
      let sum = 0;
      let count = 0;
      for (let j = top; j <= bottom; j += 1) {
        for (let i = x - reach; i <= x + reach; i += 1) {
          const difference = (values[j * width + i] ?? 0) - own;
          if (difference > jumpM || difference < -jumpM) continue;
          sum += difference;
          count += 1;
        }
      }
      out[y * width + x] = own + sum / count;
    }
  }
  return out;
}
