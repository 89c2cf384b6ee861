import type { GridFrame } from "../../grid/elevation-grid.ts";

/**
 * Heights of one frame at the cells of another, bilinear; beyond the border the border's heights go
 * on. No NaN in, none out.
 */
export function resample(values: Float32Array, from: GridFrame, to: GridFrame): Float32Array {
  const out = new Float32Array(to.width * to.height);
  const scale = to.cellM / from.cellM;
  const x0 = (to.westM - from.westM) / from.cellM + 0.5 * scale - 0.5;
  const y0 = (from.northM - to.northM) / from.cellM + 0.5 * scale - 0.5;
  const last = { column: from.width - 1, row: from.height - 1 };
  for (let row = 0; row < to.height; row += 1) {
    const y = Math.min(last.row, Math.max(0, y0 + row * scale));
    const top = Math.min(Math.floor(y), Math.max(0, last.row - 1));
    const b = y - top;
    const upper = top * from.width;
    const lower = Math.min(top + 1, last.row) * from.width;
    for (let column = 0; column < to.width; column += 1) {
      const x = Math.min(last.column, Math.max(0, x0 + column * scale));
      const left = Math.min(Math.floor(x), Math.max(0, last.column - 1));
      const a = x - left;
      const right = Math.min(left + 1, last.column);
      const north = (values[upper + left] ?? 0) * (1 - a) + (values[upper + right] ?? 0) * a;
      const south = (values[lower + left] ?? 0) * (1 - a) + (values[lower + right] ?? 0) * a;
      out[row * to.width + column] = north * (1 - b) + south * b;
    }
  }
  return out;
}
