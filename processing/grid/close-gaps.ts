/** Rounds end when no height moves by more, metres: a hundredth of what a surface is sure to. */
const SETTLED_M = 1e-4;
/** Rounds at most, as a multiple of the longer side of the gaps' box in cells; twice that was never used. */
const MOST_ROUNDS = 8;

/**
 * Closes gaps of a raster in place by the smoothest skin over them: Laplace's equation, each cell the mean
 * of its neighbours, by successive over-relaxation (Young 1954). A gap that no height touches stays one.
 * @param elevationM row-major, `width` a row; NaN = no data
 * @param gaps the cells to close, all NaN; other cells without data stay so and have no influence
 */
export function closeGaps(elevationM: Float32Array, width: number, gaps: readonly number[]): void {
  const height = elevationM.length / width;
  const side = longerSide(gaps, width);
  const order = grownInwards(elevationM, width, height, gaps);
  const neighbours = order.map((cell) => {
    const col = cell % width;
    const around = [
      ...(col > 0 ? [cell - 1] : []),
      ...(col + 1 < width ? [cell + 1] : []),
      ...(cell >= width ? [cell - width] : []),
      ...(cell + width < width * height ? [cell + width] : []),
    ];
    return around.filter((other) => !Number.isNaN(elevationM[other] ?? Number.NaN));
  });
  // Doubles while it settles: steps near the end are below what single precision holds at 100 m.
  const heights = Float64Array.from(elevationM);
  const over = 2 / (1 + Math.sin(Math.PI / Math.max(3, side)));
  for (let round = 0; round < MOST_ROUNDS * side; round += 1) {
    let most = 0;
    for (const [i, cell] of order.entries()) {
      const around = neighbours[i] ?? [];
      let sum = 0;
      for (const other of around) sum += heights[other] ?? 0;
      const step = over * (sum / around.length - (heights[cell] ?? 0));
      heights[cell] = (heights[cell] ?? 0) + step;
      most = Math.max(most, Math.abs(step));
    }
    if (most < SETTLED_M) break;
  }
  for (const cell of order) elevationM[cell] = heights[cell] ?? Number.NaN;
}

/**
 * Gives every gap that measured cells touch, or other gaps that they touch, the mean height of those it
 * was reached from: a start for the rounds. Yields them in the order in which they were reached.
 */
function grownInwards(
  elevationM: Float32Array,
  width: number,
  height: number,
  gaps: readonly number[],
): number[] {
  const order: number[] = [];
  let waiting = gaps;
  while (waiting.length > 0) {
    const reached: { readonly cell: number; readonly heightM: number }[] = [];
    const later: number[] = [];
    for (const cell of waiting) {
      const col = cell % width;
      let sum = 0;
      let known = 0;
      for (const other of [cell - 1, cell + 1, cell - width, cell + width]) {
        const isBeside =
          other >= 0 && other < width * height && Math.abs((other % width) - col) <= 1;
        const z = isBeside ? (elevationM[other] ?? Number.NaN) : Number.NaN;
        if (Number.isNaN(z)) continue;
        sum += z;
        known += 1;
      }
      if (known > 0) reached.push({ cell, heightM: sum / known });
      else later.push(cell);
    }
    if (reached.length === 0) break;
    for (const { cell, heightM } of reached) {
      elevationM[cell] = heightM;
      order.push(cell);
    }
    waiting = later;
  }
  return order;
}

/** Of the box around some cells, cells. */
function longerSide(cells: readonly number[], width: number): number {
  let [left, right, top, bottom] = [width, 0, Number.POSITIVE_INFINITY, 0];
  for (const cell of cells) {
    const row = Math.floor(cell / width);
    left = Math.min(left, cell - row * width);
    right = Math.max(right, cell - row * width);
    top = Math.min(top, row);
    bottom = Math.max(bottom, row);
  }
  return Math.max(right - left, bottom - top) + 1;
}
