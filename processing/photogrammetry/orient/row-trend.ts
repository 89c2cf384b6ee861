import type { Observations } from "../bundle/bundle-problem.ts";
import type { RowTrend } from "./orientation.ts";

/** Fewer observations of an image than this, and its straight line says nothing. Chosen. */
const MIN_OBSERVATIONS = 20;

/** Sums of a straight line's fit: abscissa t over the image from 0 to 1, residuals du and dv. */
interface LineSums {
  n: number;
  t: number;
  tt: number;
  u: number;
  v: number;
  tu: number;
  tv: number;
}

/** Fits residuals of each image by a straight line along its rows, and another along its columns. */
export function rowTrend(
  { camera, u, v }: Observations,
  residuals: Float64Array,
  sizes: readonly { readonly widthPx: number; readonly heightPx: number }[],
): RowTrend {
  const sums = () => sizes.map((): LineSums => ({ n: 0, t: 0, tt: 0, u: 0, v: 0, tu: 0, tv: 0 }));
  const rows = sums();
  const columns = sums();
  for (let k = 0; k < camera.length; k += 1) {
    const c = camera[k] ?? 0;
    const size = sizes[c];
    const row = rows[c];
    const column = columns[c];
    if (!size || !row || !column) continue;
    const du = residuals[k * 2] ?? 0;
    const dv = residuals[k * 2 + 1] ?? 0;
    add(row, (v[k] ?? 0) / size.heightPx, du, dv);
    add(column, (u[k] ?? 0) / size.widthPx, du, dv);
  }
  return { rowsPx: rmsRise(rows), columnsPx: rmsRise(columns) };
}

function add(sums: LineSums, t: number, du: number, dv: number): void {
  sums.n += 1;
  sums.t += t;
  sums.tt += t * t;
  sums.u += du;
  sums.v += dv;
  sums.tu += t * du;
  sums.tv += t * dv;
}

/** Root mean square over images of the line's rise from one edge to the other, pixels. */
function rmsRise(lines: readonly LineSums[]): number {
  let sum = 0;
  let count = 0;
  for (const { n, t, tt, u, v, tu, tv } of lines) {
    const spread = tt - (t * t) / n;
    if (n < MIN_OBSERVATIONS || !(spread > 0)) continue;
    sum += ((tu - (t * u) / n) / spread) ** 2 + ((tv - (t * v) / n) / spread) ** 2;
    count += 1;
  }
  return count === 0 ? 0 : Math.sqrt(sum / count);
}
