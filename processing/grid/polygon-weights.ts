import type { GridFrame } from "./elevation-grid.ts";

/** A simple polygon, not closed, either way round: x east, y north, ENU, metres. */
export type PlanPolygon = readonly (readonly [number, number])[];

/** How much of each cell lies inside a polygon: a window of the grid's cells, which may reach beyond it. */
export interface PolygonWeights {
  readonly firstCol: number;
  readonly firstRow: number;
  readonly width: number;
  readonly height: number;
  /** Share of the cell's area inside, 0 to 1; row-major, north row first. */
  readonly share: Float64Array;
}

/** More cells than any stockpile has; beyond it the polygon is a mistake, not a measurement. */
const MAX_CELLS = 50_000_000;

/**
 * Exact area of a polygon within each cell. Every edge adds, row by row, the signed area between itself
 * and the window's east side; running sums along the rows give the shares (the method of font
 * rasterisers: Levien 2016, "Inside the fastest font renderer in the world"). Work grows with cells
 * plus cells along the edges.
 * @throws RangeError when the polygon has fewer than three vertices, or covers 50 million cells or more.
 */
export function polygonWeights(frame: GridFrame, polygon: PlanPolygon): PolygonWeights {
  if (polygon.length < 3) throw new RangeError("a polygon has three vertices at least");
  const xs = polygon.map(([x]) => (x - frame.westM) / frame.cellM);
  const ys = polygon.map(([, y]) => (frame.northM - y) / frame.cellM);
  const firstCol = Math.floor(Math.min(...xs));
  const firstRow = Math.floor(Math.min(...ys));
  const width = Math.floor(Math.max(...xs)) - firstCol + 1;
  const height = Math.floor(Math.max(...ys)) - firstRow + 1;
  if (!(width * height < MAX_CELLS)) throw new RangeError("the polygon covers too many cells");
  // An edge on the east side of the last column writes two cells beyond it.
  const stride = width + 2;
  const areas = new Float64Array(stride * (height + 1));
  for (let i = 0; i < polygon.length; i += 1) {
    const j = (i + 1) % polygon.length;
    addEdge(
      areas,
      stride,
      (xs[i] ?? 0) - firstCol,
      (ys[i] ?? 0) - firstRow,
      (xs[j] ?? 0) - firstCol,
      (ys[j] ?? 0) - firstRow,
    );
  }
  const share = new Float64Array(width * height);
  for (let row = 0; row < height; row += 1) {
    let sum = 0;
    for (let col = 0; col < width; col += 1) {
      sum += areas[row * stride + col] ?? 0;
      share[row * width + col] = cleaned(Math.abs(sum));
    }
  }
  return { firstCol, firstRow, width, height, share };
}

/** Rounding of the sums must not leave cells that are a hair inside, or a hair less than whole. */
const ROUNDING = 1e-9;

function cleaned(share: number): number {
  if (share < ROUNDING) return 0;
  return share > 1 - ROUNDING ? 1 : share;
}

function addEdge(
  areas: Float64Array,
  stride: number,
  xFrom: number,
  yFrom: number,
  xTo: number,
  yTo: number,
): void {
  if (yFrom === yTo) return;
  const sign = yFrom < yTo ? 1 : -1;
  const top = Math.min(yFrom, yTo);
  const bottom = Math.max(yFrom, yTo);
  const slope = (xTo - xFrom) / (yTo - yFrom);
  const xTop = yFrom < yTo ? xFrom : xTo;
  for (let row = Math.floor(top); row < bottom; row += 1) {
    const from = Math.max(top, row);
    const to = Math.min(bottom, row + 1);
    const a = xTop + slope * (from - top);
    const b = xTop + slope * (to - top);
    addRowPart(areas, row * stride, Math.min(a, b), Math.max(a, b), sign * (to - from));
  }
}

/**
 * Part of an edge within one row, from `left` to `right`: the area right of it in each cell, as
 * differences from cell to cell.
 * @param rise signed height of the part
 */
function addRowPart(
  areas: Float64Array,
  at: number,
  left: number,
  right: number,
  rise: number,
): void {
  const first = Math.floor(left);
  const last = Math.floor(right);
  const perWidth = right > left ? rise / (right - left) : 0;
  let before = 0;
  for (let col = first; col <= last; col += 1) {
    const from = Math.max(left, col);
    const to = Math.min(right, col + 1);
    // The edge's height within this cell, and the area right of it: a trapezium.
    const height = first === last ? rise : perWidth * (to - from);
    const area = height * (col + 1 - (from + to) / 2);
    areas[at + col] = (areas[at + col] ?? 0) + before + area;
    before = height - area;
  }
  areas[at + last + 1] = (areas[at + last + 1] ?? 0) + before;
}
