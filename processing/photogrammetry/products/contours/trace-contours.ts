import type { ContourRaster } from "./smooth-raster.ts";

/** One contour line. */
export interface ContourLine {
  readonly levelM: number;
  /** The last point is the first one again. */
  readonly isClosed: boolean;
  /** Column and row of each point in cells of the raster, (0.5, 0.5) the middle of the first cell. */
  readonly points: Float64Array;
}

/** Lines with fewer points are the noise of single cells. */
const LEAST_POINTS = 5;

/**
 * Contour lines by marching squares between the middles of cells; where two lines are possible the mean
 * of the four corners decides. All lines of one raster are level sets of one function, so none crosses
 * itself or another. A square with a corner that is not known has no line: lines end at holes.
 */
export function traceContours(raster: ContourRaster, levelsM: readonly number[]): ContourLine[] {
  return levelsM.flatMap((levelM) => joinSegments(raster, levelM));
}

/** Crossings of one level, by the edge they lie on, each with the edges that lines lead to. */
type Links = Map<number, number[]>;

function joinSegments(raster: ContourRaster, levelM: number): ContourLine[] {
  const links = linkEdges(raster, levelM);
  const lines: ContourLine[] = [];
  const visit = (start: number) => {
    const edges = [start];
    for (let edge = start; ; ) {
      const next = links.get(edge)?.pop();
      if (next === undefined) break;
      const back = links.get(next);
      back?.splice(back.indexOf(edge), 1);
      edges.push(next);
      edge = next;
    }
    if (edges.length < LEAST_POINTS) return;
    const points = new Float64Array(2 * edges.length);
    for (const [k, edge] of edges.entries()) crossing(raster, levelM, edge, points, 2 * k);
    lines.push({ levelM, isClosed: edges.at(-1) === start, points });
  };
  // Lines that end come first: a ring may be entered anywhere, a line only at its end.
  for (const [edge, next] of links) if (next.length === 1) visit(edge);
  for (const [edge, next] of links) if (next.length > 0) visit(edge);
  return lines;
}

/**
 * Edges between the middles of neighbouring cells have numbers: 2 i leads from cell i to the right one,
 * 2 i + 1 to the one below.
 */
function linkEdges({ heightM, width, height }: ContourRaster, levelM: number): Links {
  const links: Links = new Map();
  const link = (a: number, b: number) => {
    const ofA = links.get(a);
    const ofB = links.get(b);
    if (ofA === undefined) links.set(a, [b]);
    else ofA.push(b);
    if (ofB === undefined) links.set(b, [a]);
    else ofB.push(a);
  };
  for (let row = 0; row + 1 < height; row += 1) {
    for (let col = 0; col + 1 < width; col += 1) {
      const i = row * width + col;
      const a = heightM[i] ?? 0;
      const b = heightM[i + 1] ?? 0;
      const c = heightM[i + width + 1] ?? 0;
      const d = heightM[i + width] ?? 0;
      const sum = a + b + c + d;
      if (Number.isNaN(sum)) continue;
      const above =
        Number(a >= levelM) +
        2 * Number(b >= levelM) +
        4 * Number(c >= levelM) +
        8 * Number(d >= levelM);
      if (above === 0 || above === 15) continue;
      const top = 2 * i;
      const right = 2 * (i + 1) + 1;
      const bottom = 2 * (i + width);
      const left = 2 * i + 1;
      // Corners by pairs: those alone on their side are cut off.
      if (above === 1 || above === 14) link(left, top);
      else if (above === 2 || above === 13) link(top, right);
      else if (above === 4 || above === 11) link(right, bottom);
      else if (above === 8 || above === 7) link(bottom, left);
      else if (above === 3 || above === 12) link(left, right);
      else if (above === 6 || above === 9) link(top, bottom);
      else if (sum / 4 >= levelM === (above === 5)) {
        // The middle is on the side of a and c: b and d are cut off.
        link(top, right);
        link(bottom, left);
      } else {
        link(left, top);
        link(right, bottom);
      }
    }
  }
  return links;
}

function crossing(
  { heightM, width }: ContourRaster,
  levelM: number,
  edge: number,
  points: Float64Array,
  at: number,
): void {
  const i = edge >> 1;
  const isDown = edge % 2 === 1;
  const from = heightM[i] ?? 0;
  const to = heightM[isDown ? i + width : i + 1] ?? 0;
  const share = (levelM - from) / (to - from);
  const col = i % width;
  points[at] = col + 0.5 + (isDown ? 0 : share);
  points[at + 1] = (i - col) / width + 0.5 + (isDown ? share : 0);
}
