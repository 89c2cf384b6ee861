/** The eight neighbours in their order around a pixel. */
const AROUND = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;

/** Pattern of neighbours that change between brighter and darker more than twice. */
const NOT_UNIFORM = 9;

/**
 * The rotation-invariant uniform pattern of every pixel (LBP riu2 with 8 neighbours at distance 1: Ojala,
 * Pietikäinen, Mäenpää 2002): how many neighbours are at least as bright, 0 to 8, where they lie side by
 * side, else 9. Pixels at the edge are 8, as those of an even surface.
 */
export function uniformPatterns(values: Float32Array, width: number, height: number): Uint8Array {
  const patterns = new Uint8Array(width * height).fill(8);
  const steps = AROUND.map(([dx, dy]) => dy * width + dx);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const middle = values[i] ?? 0;
      let brighter = 0;
      let changes = 0;
      let before = (values[i + (steps[7] ?? 0)] ?? 0) >= middle;
      for (const step of steps) {
        const isBrighter = (values[i + step] ?? 0) >= middle;
        if (isBrighter) brighter += 1;
        if (isBrighter !== before) changes += 1;
        before = isBrighter;
      }
      patterns[i] = changes <= 2 ? brighter : NOT_UNIFORM;
    }
  }
  return patterns;
}
