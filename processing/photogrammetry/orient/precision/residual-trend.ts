import type { Observations } from "../../bundle/bundle-problem.ts";
import type { ResidualTrend } from "../block/orientation.ts";

/**
 * Fewer observations of an image than this, and its straight line says nothing. More leaves out images at the
 * edge, where a trend shows first.
 */
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
export function residualTrend(
  { camera, u, v }: Observations,
  residuals: Float64Array,
  sigmaPx: number,
  sizes: readonly { readonly widthPx: number; readonly heightPx: number }[],
): ResidualTrend {
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
  // Of a line's rise by noise: sigma over the spread of its abscissae, for u and for v.
  const chances = [...rows, ...columns]
    .filter(isSolid)
    .map((line) => (2 * sigmaPx * sigmaPx) / spreadOf(line));
  const chance = chances.reduce((sum, variance) => sum + variance, 0) / Math.max(1, chances.length);
  return { rowsPx: rmsRise(rows), columnsPx: rmsRise(columns), chancePx: Math.sqrt(chance) };
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

function spreadOf({ n, t, tt }: LineSums): number {
  return tt - (t * t) / n;
}

function isSolid(line: LineSums): boolean {
  return line.n >= MIN_OBSERVATIONS && spreadOf(line) > 0;
}

/** Root mean square over images of the lines' rises from one edge to the other, pixels. */
function rmsRise(lines: readonly LineSums[]): number {
  const solid = lines.filter(isSolid);
  let sum = 0;
  for (const line of solid) {
    const { n, t, u, v, tu, tv } = line;
    sum += ((tu - (t * u) / n) ** 2 + (tv - (t * v) / n) ** 2) / spreadOf(line) ** 2;
  }
  return solid.length === 0 ? 0 : Math.sqrt(sum / solid.length);
}
