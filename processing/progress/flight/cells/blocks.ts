import type { GridFrame } from "../../../grid/elevation-grid.ts";

/** Means over squares of cells. */
export interface BlockMeans {
  /** Mean over the square that holds a cell; NaN: none of its cells has a value. */
  of(cell: number): number;
}

/**
 * Means of the values of a grid's cells over squares of `blockM`; cells without a value (NaN) are left
 * out.
 */
export function blockMeans(frame: GridFrame, values: Float32Array, blockM: number): BlockMeans {
  const edge = Math.max(1, Math.round(blockM / frame.cellM));
  const columns = Math.ceil(frame.width / edge);
  const blockOf = (cell: number) =>
    Math.floor(Math.floor(cell / frame.width) / edge) * columns +
    Math.floor((cell % frame.width) / edge);
  const sums = new Float64Array(columns * Math.ceil(frame.height / edge));
  const counts = new Int32Array(sums.length);
  for (let cell = 0; cell < values.length; cell += 1) {
    const value = values[cell] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const block = blockOf(cell);
    sums[block] = (sums[block] ?? 0) + value;
    counts[block] = (counts[block] ?? 0) + 1;
  }
  return { of: (cell) => (sums[blockOf(cell)] ?? 0) / (counts[blockOf(cell)] ?? 0) };
}
