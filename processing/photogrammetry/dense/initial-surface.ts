import type { GridFrame } from "../elevation-grid.ts";

/** Tie points that make the height of a cell, nearest first. */
const NEIGHBOURS = 8;
/** A point further than this many robust spreads from its neighbours' median is a wrong match. */
const OUTLIER_SPREADS = 4;
/** ... and further than this share of its neighbours' distance, so that true slopes and edges stay. */
const OUTLIER_SLOPE = 2;
/** Makes the median absolute deviation of a normal distribution its standard deviation. */
const MAD_TO_SIGMA = 1.4826;

/**
 * Heights of the frame's cells from scattered tie points (three numbers each, ENU metres): points that
 * their neighbours contradict are left out, then the nearest ones count by the inverse fourth power of
 * their distance. Every cell gets a height; far outside the points it is a guess.
 */
export function initialSurface(points: Float64Array, frame: GridFrame): Float32Array {
  const all = new PointBins(points, frame);
  const trusted: number[] = [];
  for (let i = 0; i * 3 < points.length; i += 1) {
    if (!contradicts(all, i)) {
      trusted.push(points[i * 3] ?? 0, points[i * 3 + 1] ?? 0, points[i * 3 + 2] ?? 0);
    }
  }
  // All against all only when the points are few and wild: then they are better than nothing.
  const bins = trusted.length > 0 ? new PointBins(Float64Array.from(trusted), frame) : all;
  const surface = new Float32Array(frame.width * frame.height);
  for (let row = 0; row < frame.height; row += 1) {
    for (let column = 0; column < frame.width; column += 1) {
      const x = frame.westM + (column + 0.5) * frame.cellM;
      const y = frame.northM - (row + 0.5) * frame.cellM;
      let weights = 0;
      let sum = 0;
      for (const near of bins.nearest(x, y, NEIGHBOURS)) {
        // Half a cell keeps a point in the middle of a cell from having infinite weight.
        const weight = 1 / (near.distanceM ** 2 + (frame.cellM / 2) ** 2) ** 2;
        weights += weight;
        sum += weight * near.z;
      }
      surface[row * frame.width + column] = sum / weights;
    }
  }
  return surface;
}

function contradicts(bins: PointBins, i: number): boolean {
  const [x, y, z] = bins.point(i);
  const near = bins.nearest(x, y, NEIGHBOURS + 1).filter((point) => point.index !== i);
  if (near.length < NEIGHBOURS / 2) return false;
  const middle = medianOf(near.map((point) => point.z));
  const spread = MAD_TO_SIGMA * medianOf(near.map((point) => Math.abs(point.z - middle)));
  const reachM = medianOf(near.map((point) => point.distanceM));
  return Math.abs(z - middle) > Math.max(OUTLIER_SPREADS * spread, OUTLIER_SLOPE * reachM);
}

function medianOf(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

interface NearPoint {
  readonly index: number;
  readonly distanceM: number;
  readonly z: number;
}

/** Points in square bins of the frame, for look-ups of the nearest ones. */
class PointBins {
  readonly #points: Float64Array;
  readonly #bins: number[][];
  readonly #frame: GridFrame;
  readonly #edgeM: number;
  readonly #columns: number;
  readonly #rows: number;

  constructor(points: Float64Array, frame: GridFrame) {
    // About two points a bin, so that a look-up visits few bins.
    const areaM2 = frame.width * frame.height * frame.cellM ** 2;
    this.#edgeM = Math.max(frame.cellM / 2, Math.sqrt((6 * areaM2) / Math.max(1, points.length)));
    this.#columns = Math.ceil((frame.width * frame.cellM) / this.#edgeM);
    this.#rows = Math.ceil((frame.height * frame.cellM) / this.#edgeM);
    this.#points = points;
    this.#frame = frame;
    this.#bins = Array.from({ length: this.#columns * this.#rows }, () => []);
    for (let i = 0; i * 3 < points.length; i += 1) {
      const [x, y] = this.point(i);
      const [column, row] = this.#binOf(x, y);
      this.#bins[row * this.#columns + column]?.push(i);
    }
  }

  point(i: number): readonly [number, number, number] {
    const p = this.#points;
    return [p[i * 3] ?? 0, p[i * 3 + 1] ?? 0, p[i * 3 + 2] ?? 0];
  }

  /** Points outside the frame lie in the bin at its border. */
  #binOf(x: number, y: number): readonly [number, number] {
    const column = Math.floor((x - this.#frame.westM) / this.#edgeM);
    const row = Math.floor((this.#frame.northM - y) / this.#edgeM);
    return [
      Math.min(this.#columns - 1, Math.max(0, column)),
      Math.min(this.#rows - 1, Math.max(0, row)),
    ];
  }

  nearest(x: number, y: number, count: number): readonly NearPoint[] {
    const [column, row] = this.#binOf(x, y);
    const found: NearPoint[] = [];
    let last = Math.max(this.#columns, this.#rows);
    for (let ring = 0; ring <= last; ring += 1) {
      this.#collectRing(column, row, ring, x, y, found);
      // One ring more: a point of the next ring may be nearer than one in this ring's corner.
      if (found.length >= count) last = Math.min(last, ring + 1);
    }
    return found.sort((a, b) => a.distanceM - b.distanceM).slice(0, count);
  }

  #collectRing(
    column: number,
    row: number,
    ring: number,
    x: number,
    y: number,
    found: NearPoint[],
  ): void {
    for (let r = Math.max(0, row - ring); r <= Math.min(this.#rows - 1, row + ring); r += 1) {
      const isEdge = Math.abs(r - row) === ring;
      for (let c = column - ring; c <= column + ring; c += isEdge || ring === 0 ? 1 : 2 * ring) {
        if (c < 0 || c >= this.#columns) continue;
        for (const index of this.#bins[r * this.#columns + c] ?? []) {
          const [px, py, z] = this.point(index);
          found.push({ index, distanceM: Math.hypot(px - x, py - y), z });
        }
      }
    }
  }
}
