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
  const strengthOf = (i: number) => places[i]?.strength ?? 0;
  const order = places.map((_, i) => i).sort((a, b) => strengthOf(b) - strengthOf(a) || a - b);
  const taken = new Uint32Array(columns * rows);
  const chosen: number[] = [];
  const left: number[] = [];
  for (const i of order) {
    const { x = 0, y = 0 } = places[i] ?? {};
    const column = Math.min(columns - 1, Math.floor((x / width) * columns));
    const row = Math.min(rows - 1, Math.floor((y / height) * rows));
    const cell = row * columns + column;
    const before = taken[cell] ?? 0;
    taken[cell] = before + 1;
    (before < share ? chosen : left).push(i);
  }
  return chosen.concat(left).slice(0, count);
}
