import { type Projection, project } from "../../camera/camera.ts";
import type { Reconstruction } from "../../reconstruction/reconstruction.ts";

/** Mean residual of one part of the picture, over all images of a lens. */
export interface ResidualBin {
  /** Middle of the bin, pixels. */
  readonly u: number;
  readonly v: number;
  /** Mean of measured less computed, pixels: what the lens model leaves over. */
  readonly du: number;
  readonly dv: number;
  readonly count: number;
}

/** Residuals of one lens by their place in the picture. */
export interface ResidualField {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bins: readonly ResidualBin[];
}

/** Bins along the picture's width; at 16 x 12 a good survey has 200 observations in each. */
const COLUMNS = 16;
/** Bins with fewer observations show noise, not the lens. */
const MIN_COUNT = 5;

/** Mean residuals by place in the picture, one field a lens; a pattern there is distortion left over. */
export function residualFields(reconstruction: Reconstruction): ResidualField[] {
  const { lenses, cameras, observations, points } = reconstruction;
  const at: Projection = { u: 0, v: 0, depth: 0 };
  const sums = lenses.map(({ widthPx, heightPx }) => {
    const rows = Math.max(1, Math.round((COLUMNS * heightPx) / widthPx));
    return { rows, cells: new Float64Array(COLUMNS * rows * 3) };
  });
  for (let i = 0; i < observations.point.length; i += 1) {
    const camera = cameras[observations.camera[i] ?? -1];
    const lens = lenses[camera?.lens ?? -1];
    const sum = sums[camera?.lens ?? -1];
    if (camera === undefined || lens === undefined || sum === undefined) continue;
    const p = (observations.point[i] ?? 0) * 3;
    const point = [points[p] ?? 0, points[p + 1] ?? 0, points[p + 2] ?? 0] as const;
    if (!project(lens, camera.pose, point, at)) continue;
    const u = observations.u[i] ?? 0;
    const v = observations.v[i] ?? 0;
    const col = Math.floor(((u + 0.5) / lens.widthPx) * COLUMNS);
    const row = Math.floor(((v + 0.5) / lens.heightPx) * sum.rows);
    if (col < 0 || row < 0 || col >= COLUMNS || row >= sum.rows) continue;
    const cell = (row * COLUMNS + col) * 3;
    sum.cells[cell] = (sum.cells[cell] ?? 0) + u - at.u;
    sum.cells[cell + 1] = (sum.cells[cell + 1] ?? 0) + v - at.v;
    sum.cells[cell + 2] = (sum.cells[cell + 2] ?? 0) + 1;
  }
  return lenses.map(({ widthPx, heightPx }, i) => {
    const { rows = 0, cells = new Float64Array() } = sums[i] ?? {};
    const bins: ResidualBin[] = [];
    for (let bin = 0; bin < COLUMNS * rows; bin += 1) {
      const count = cells[bin * 3 + 2] ?? 0;
      if (count < MIN_COUNT) continue;
      bins.push({
        u: (((bin % COLUMNS) + 0.5) / COLUMNS) * widthPx - 0.5,
        v: ((Math.floor(bin / COLUMNS) + 0.5) / rows) * heightPx - 0.5,
        du: (cells[bin * 3] ?? 0) / count,
        dv: (cells[bin * 3 + 1] ?? 0) / count,
        count,
      });
    }
    return { widthPx, heightPx, bins };
  });
}
