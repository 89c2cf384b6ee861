/** Cells of the grid along the longer edge; prototype. */
const CELLS = 12;

/**
 * The `count` strongest of places in an image, spread over it: first each cell of a grid gives its
 * strongest up to an even share, then the strongest of what is left fill up. Gives indices, by strength;
 * of equals the first comes first.
 */
export function spreadOverGrid(
  places: readonly { readonly x: number; readonly y: number; readonly strength: number }[],
  width: number,
  height: number,
  count: number,
): readonly number[] {
  const cellPx = Math.max(width, height) / CELLS;
  const columns = Math.max(1, Math.round(width / cellPx));
  const rows = Math.max(1, Math.round(height / cellPx));
  const share = Math.ceil(count / (columns * rows));
  const cells = Array.from({ length: columns * rows }, (): number[] => []);
  places.forEach(({ x, y }, i) => {
    const column = Math.min(columns - 1, Math.floor((x / width) * columns));
    const row = Math.min(rows - 1, Math.floor((y / height) * rows));
    cells[row * columns + column]?.push(i);
  });
  const strengths = Float64Array.from(places, ({ strength }) => strength);
  const chosen: number[] = [];
  const left: number[] = [];
  for (const cell of cells) {
    byStrength(cell, strengths);
    cell.forEach((i, rank) => {
      (rank < share ? chosen : left).push(i);
    });
  }
  byStrength(chosen, strengths);
  if (chosen.length >= count) return chosen.slice(0, count);
  byStrength(left, strengths);
  return chosen.concat(left).slice(0, count);
}

/** Sorts indices in place: the strongest first, of equals the first. */
function byStrength(indices: number[], strengths: Float64Array): void {
  indices.sort((a, b) => (strengths[b] ?? 0) - (strengths[a] ?? 0) || a - b);
}
