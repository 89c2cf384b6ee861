import type { HeightField } from "../../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../../grid/polygon-weights.ts";

/** Cells with data in a ring outside a polygon: the ground around the toe of a pile. */
export interface RingCells {
  /** Middle of each cell, ENU metres: x, y, z in turn. */
  readonly points: Float64Array;
  /** Where on the polygon's line each cell is nearest to, metres along it from the first vertex. */
  readonly alongM: Float64Array;
  /** Length of the polygon's line, metres. */
  readonly perimeterM: number;
}

/** The cells that the polygon does not touch and whose middles lie within `ringM` of its line. */
export function ringCells(surface: HeightField, polygon: PlanPolygon, ringM: number): RingCells {
  const { westM, northM, cellM, width, height, elevationM } = surface;
  const inside = polygonWeights(surface, polygon);
  const edges = edgesOf(polygon);
  const margin = Math.ceil(ringM / cellM) + 1;
  const points: number[] = [];
  const alongM: number[] = [];
  const rows = [inside.firstRow - margin, inside.firstRow + inside.height + margin] as const;
  const cols = [inside.firstCol - margin, inside.firstCol + inside.width + margin] as const;
  for (let row = Math.max(0, rows[0]); row < Math.min(height, rows[1]); row += 1) {
    const y = northM - (row + 0.5) * cellM;
    for (let col = Math.max(0, cols[0]); col < Math.min(width, cols[1]); col += 1) {
      const z = elevationM[row * width + col] ?? Number.NaN;
      if (Number.isNaN(z)) continue;
      const [r, c] = [row - inside.firstRow, col - inside.firstCol];
      const isInWindow = r >= 0 && c >= 0 && r < inside.height && c < inside.width;
      if (isInWindow && inside.share[r * inside.width + c] !== 0) continue;
      const x = westM + (col + 0.5) * cellM;
      const near = nearestOnLine(edges, x, y);
      if (near.distance2 >= ringM * ringM) continue;
      points.push(x, y, z);
      alongM.push(near.alongM);
    }
  }
  const last = edges.at(-1);
  return {
    points: Float64Array.from(points),
    alongM: Float64Array.from(alongM),
    perimeterM: last === undefined ? 0 : last.startM + last.lengthM,
  };
}

/** One side of the polygon, and how far along its line it begins. */
interface Edge {
  readonly x: number;
  readonly y: number;
  readonly ex: number;
  readonly ey: number;
  readonly startM: number;
  readonly lengthM: number;
}

function edgesOf(polygon: PlanPolygon): readonly Edge[] {
  const edges: Edge[] = [];
  let startM = 0;
  for (const [i, [x, y]] of polygon.entries()) {
    const to = polygon[(i + 1) % polygon.length];
    if (to === undefined) continue;
    const [ex, ey] = [to[0] - x, to[1] - y];
    const lengthM = Math.hypot(ex, ey);
    edges.push({ x, y, ex, ey, startM, lengthM });
    startM += lengthM;
  }
  return edges;
}

function nearestOnLine(edges: readonly Edge[], x: number, y: number) {
  let distance2 = Number.POSITIVE_INFINITY;
  let alongM = 0;
  for (const edge of edges) {
    const length2 = edge.lengthM * edge.lengthM;
    const reached = length2 === 0 ? 0 : ((x - edge.x) * edge.ex + (y - edge.y) * edge.ey) / length2;
    const t = Math.min(1, Math.max(0, reached));
    const d2 = (x - edge.x - t * edge.ex) ** 2 + (y - edge.y - t * edge.ey) ** 2;
    if (d2 >= distance2) continue;
    distance2 = d2;
    alongM = edge.startM + t * edge.lengthM;
  }
  return { distance2, alongM };
}
