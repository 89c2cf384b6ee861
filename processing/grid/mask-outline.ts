import type { CellMask } from "./cell-mask.ts";
import type { GridFrame } from "./elevation-grid.ts";
import type { PlanPolygon } from "./polygon-weights.ts";

type Corner = readonly [col: number, row: number];

/** Right, down, left, up. */
const STEPS: readonly Corner[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

/**
 * Outline of the region of a mask that holds its first cell, through the middles of the cells' outer edges.
 * It has as few vertices as keep it within `toleranceM` of that (Douglas & Peucker 1973), with more tolerance
 * where it needs more than `most`. ENU metres; empty without cells.
 */
export function maskOutline(
  frame: GridFrame,
  mask: CellMask,
  { toleranceM, most }: { readonly toleranceM: number; readonly most: number },
): PlanPolygon {
  const corners = traced(mask);
  const line = corners.map(([col, row], i) => {
    const [toCol, toRow] = corners[(i + 1) % corners.length] ?? [col, row];
    return [
      frame.westM + ((col + toCol) / 2) * frame.cellM,
      frame.northM - ((row + toRow) / 2) * frame.cellM,
    ] as const;
  });
  let tolerance = toleranceM;
  let outline = simplified(line, tolerance);
  while (outline.length > most) {
    tolerance *= 1.25;
    outline = simplified(line, tolerance);
  }
  return outline;
}

/** Walks round a region with it on the right hand, from the upper left corner of its first cell. */
function traced({ width, height, cells }: CellMask): Corner[] {
  const first = cells.indexOf(1);
  if (first < 0) return [];
  const isIn = (col: number, row: number) =>
    col >= 0 && row >= 0 && col < width && row < height && cells[row * width + col] === 1;
  const start: Corner = [first % width, Math.floor(first / width)];
  const corners: Corner[] = [];
  let [col, row] = start;
  let heading = 0;
  do {
    corners.push([col, row]);
    const [right = 0, down = 0] = STEPS[heading] ?? [];
    col += right;
    row += down;
    // The two cells ahead, left and right of the way.
    const leftAhead = ahead(col, row, heading, -1);
    const rightAhead = ahead(col, row, heading, 1);
    if (!isIn(...rightAhead)) heading = (heading + 1) % 4;
    else if (isIn(...leftAhead)) heading = (heading + 3) % 4;
  } while (col !== start[0] || row !== start[1] || heading !== 0);
  return corners;
}

/** The cell that lies ahead of a corner, to the left (-1) or the right (1) of the heading. */
function ahead(col: number, row: number, heading: number, side: -1 | 1): Corner {
  const [right = 0, down = 0] = STEPS[heading] ?? [];
  // The middle of that cell is half a step ahead and half a step aside.
  const x = col + right / 2 - (side * down) / 2;
  const y = row + down / 2 + (side * right) / 2;
  return [Math.floor(x), Math.floor(y)];
}

type Place = readonly [number, number];

function simplified(ring: readonly Place[], toleranceM: number): Place[] {
  const [first] = ring;
  if (first === undefined) return [];
  // A ring has no ends: it is cut at its first vertex and at the one farthest from that.
  let farthest = 0;
  let most = 0;
  for (const [i, [x, y]] of ring.entries()) {
    const away = Math.hypot(x - first[0], y - first[1]);
    if (away > most) [most, farthest] = [away, i];
  }
  const there = kept(ring.slice(0, farthest + 1), toleranceM);
  const back = kept([...ring.slice(farthest), first], toleranceM);
  return [...there.slice(0, -1), ...back.slice(0, -1)];
}

/** Vertices of an open line that stay; both ends do. */
function kept(line: readonly Place[], toleranceM: number): Place[] {
  const isKept = new Uint8Array(line.length);
  isKept[0] = 1;
  isKept[line.length - 1] = 1;
  const open: (readonly [number, number])[] = [[0, line.length - 1]];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const [from, to] = span;
    const [a, b] = [line[from], line[to]];
    if (a === undefined || b === undefined) continue;
    const [ex, ey] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(ex, ey);
    let most = toleranceM;
    let farthest = -1;
    for (let i = from + 1; i < to; i += 1) {
      const [x, y] = line[i] ?? a;
      const off =
        length === 0
          ? Math.hypot(x - a[0], y - a[1])
          : Math.abs(ex * (y - a[1]) - ey * (x - a[0])) / length;
      if (off > most) [most, farthest] = [off, i];
    }
    if (farthest < 0) continue;
    isKept[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
  return line.filter((_, i) => isKept[i] === 1);
}
