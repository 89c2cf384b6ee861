import type { GridFrame } from "../../grid/elevation-grid.ts";

/** The points nearest to a place, nearest first; `count` of them hold. */
export interface Neighbours {
  count: number;
  readonly index: Int32Array;
  /** Squared distance on the map, square metres. */
  readonly distance2: Float64Array;
}

export function createNeighbours(most: number): Neighbours {
  return { count: 0, index: new Int32Array(most), distance2: new Float64Array(most) };
}

/** Points in square bins over a frame, for look-ups of the nearest ones. */
export interface PointBins {
  /**
   * Fills `out` with as many of the points nearest to (x, y) as it takes. Of points at one distance the
   * one that comes first as bins are visited stays.
   */
  nearest(x: number, y: number, out: Neighbours): void;
}

/** Points of a bin on average: fewer make a look-up visit empty bins, more points that are far. */
const POINTS_PER_BIN = 2;

/** @param points three numbers each; those outside of the frame go to the bin at its border */
export function createPointBins(points: Float64Array, frame: GridFrame): PointBins {
  const { westM, northM, cellM, width, height } = frame;
  const count = points.length / 3;
  const areaM2 = width * height * cellM ** 2;
  const edgeM = Math.max(cellM / 2, Math.sqrt((POINTS_PER_BIN * areaM2) / Math.max(1, count)));
  const columns = Math.ceil((width * cellM) / edgeM);
  const rows = Math.ceil((height * cellM) / edgeM);
  const columnOf = (x: number) =>
    Math.min(columns - 1, Math.max(0, Math.floor((x - westM) / edgeM)));
  const rowOf = (y: number) => Math.min(rows - 1, Math.max(0, Math.floor((northM - y) / edgeM)));

  // Points of bin b: `members` from `starts[b]` to `starts[b + 1]`.
  const starts = new Int32Array(columns * rows + 1);
  const binOf = Int32Array.from({ length: count }, (_, i) => {
    const bin = rowOf(points[3 * i + 1] ?? 0) * columns + columnOf(points[3 * i] ?? 0);
    starts[bin + 1] = (starts[bin + 1] ?? 0) + 1;
    return bin;
  });
  for (let b = 0; b < columns * rows; b += 1)
    starts[b + 1] = (starts[b + 1] ?? 0) + (starts[b] ?? 0);
  const members = new Int32Array(count);
  const next = starts.slice();
  binOf.forEach((bin, i) => {
    members[next[bin] ?? 0] = i;
    next[bin] = (next[bin] ?? 0) + 1;
  });

  function visit(bin: number, x: number, y: number, out: Neighbours): void {
    const { index, distance2 } = out;
    for (let m = starts[bin] ?? 0; m < (starts[bin + 1] ?? 0); m += 1) {
      const i = members[m] ?? 0;
      const dx = (points[3 * i] ?? 0) - x;
      const dy = (points[3 * i + 1] ?? 0) - y;
      const d2 = dx * dx + dy * dy;
      let place = out.count;
      if (place === index.length) {
        if (d2 >= (distance2[place - 1] ?? 0)) continue;
        place -= 1;
      } else {
        out.count += 1;
      }
      for (; place > 0 && (distance2[place - 1] ?? 0) > d2; place -= 1) {
        distance2[place] = distance2[place - 1] ?? 0;
        index[place] = index[place - 1] ?? 0;
      }
      distance2[place] = d2;
      index[place] = i;
    }
  }

  return {
    nearest(x, y, out) {
      const column = columnOf(x);
      const row = rowOf(y);
      out.count = 0;
      let last = Math.max(columns, rows);
      for (let ring = 0; ring <= last; ring += 1) {
        for (let r = Math.max(0, row - ring); r <= Math.min(rows - 1, row + ring); r += 1) {
          const isEdge = Math.abs(r - row) === ring;
          const step = isEdge || ring === 0 ? 1 : 2 * ring;
          for (let c = column - ring; c <= column + ring; c += step) {
            if (c >= 0 && c < columns) visit(r * columns + c, x, y, out);
          }
        }
        // One ring more: a point of the next ring may be nearer than one in this ring's corner.
        if (out.count === out.index.length) last = Math.min(last, ring + 1);
      }
    },
  };
}
