import type { HeightField } from "../../grid/elevation-grid.ts";
import { isInside } from "../../grid/inside-polygon.ts";
import type { PlanPolygon } from "../../grid/polygon-weights.ts";
import { floorRank } from "../../numeric/quantile.ts";
import { bilinear, type HeightThrough } from "./height-through.ts";

/** Cells of ground that two surfaces are compared at: places in plan, heights and slopes of the fixed one. */
export interface GroundCells {
  readonly count: number;
  /** Area that a cell represents, square metres. */
  readonly cellAreaM2: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  /** Metres a metre, to the east and to the north. */
  readonly slopeX: Float64Array;
  readonly slopeY: Float64Array;
}

/** Cells at most: more cost time, and neighbours say the same. Fewer leave rare slopes out. */
const MOST_CELLS = 15_000;
/** Numbers a cell: place, height and slopes. */
const NUMBERS = 5;
/**
 * Reach of a slope to either side, metres: beyond the noise of single cells, below a vehicle. Longer rounds slopes
 * off, shorter takes the noise of cells for them.
 */
const SLOPE_REACH_M = 0.4;
/**
 * Steeper is a wall, which a surface from matching rounds off. It is steeper than any heap: a higher bound takes
 * walls in, a lower one loses heaps.
 */
const STEEPEST = 1.2;

/** Cells of a surface outside of the polygons, evenly spread; walls and what has no slope are left out. */
export function groundCells(
  surface: HeightField,
  exclude: readonly PlanPolygon[],
  most = MOST_CELLS,
): GroundCells {
  const { westM, northM, cellM, width, height } = surface;
  const stride = Math.max(1, Math.ceil(Math.sqrt((width * height) / most)));
  const found: number[] = [];
  const excluded = exclude.map(withBox);
  for (let row = stride >> 1; row < height; row += stride) {
    const y = northM - (row + 0.5) * cellM;
    for (let column = stride >> 1; column < width; column += stride) {
      const x = westM + (column + 0.5) * cellM;
      const z = bilinear(surface, x, y);
      if (Number.isNaN(z) || excluded.some((one) => holds(one, x, y))) continue;
      const [slopeX, slopeY] = slopeAt((u, v) => bilinear(surface, u, v), x, y);
      if (!(Math.hypot(slopeX, slopeY) < STEEPEST)) continue;
      found.push(x, y, z, slopeX, slopeY);
    }
  }
  const count = found.length / NUMBERS;
  const column = (k: number) => {
    const values = new Float64Array(count);
    for (let i = 0; i < count; i += 1) values[i] = found[i * NUMBERS + k] ?? 0;
    return values;
  };
  return {
    count,
    cellAreaM2: (stride * cellM) ** 2,
    x: column(0),
    y: column(1),
    z: column(2),
    slopeX: column(3),
    slopeY: column(4),
  };
}

/** A polygon with the box around it: most cells lie beside the box, and are not held against every edge. */
interface BoxedPolygon {
  readonly polygon: PlanPolygon;
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];
}

function withBox(polygon: PlanPolygon): BoxedPolygon {
  const xs = polygon.map(([x]) => x);
  const ys = polygon.map(([, y]) => y);
  return {
    polygon,
    low: [Math.min(...xs), Math.min(...ys)],
    high: [Math.max(...xs), Math.max(...ys)],
  };
}

const holds = ({ polygon, low, high }: BoxedPolygon, x: number, y: number): boolean =>
  x >= low[0] && y >= low[1] && x <= high[0] && y <= high[1] && isInside(polygon, x, y);

/**
 * Share of the cells that carry the relief: the steepest. More takes in ground that shows no shift, less leaves
 * too few cells.
 */
const STEEP_SHARE = 0.25;

/**
 * The steepest quarter of the cells. A shift in plan shows in them alone; among level ground their
 * differences would be outliers before the shift is found.
 */
export function steepestCells(cells: GroundCells): GroundCells {
  const { slopeX, slopeY } = cells;
  const steepness = slopeX.map((value, i) => Math.hypot(value, slopeY[i] ?? 0));
  const least = floorRank(steepness.toSorted(), 1 - STEEP_SHARE) ?? 0;
  const kept = (values: Float64Array) => values.filter((_, i) => (steepness[i] ?? 0) >= least);
  const x = kept(cells.x);
  return {
    count: x.length,
    cellAreaM2: cells.cellAreaM2,
    x,
    y: kept(cells.y),
    z: kept(cells.z),
    slopeX: kept(slopeX),
    slopeY: kept(slopeY),
  };
}

/** Rise over run between the places to either side; NaN where one has no data. */
export function slopeAt(
  heightAt: HeightThrough,
  x: number,
  y: number,
  startM = Number.NaN,
): readonly [number, number] {
  const run = 2 * SLOPE_REACH_M;
  return [
    (heightAt(x + SLOPE_REACH_M, y, startM) - heightAt(x - SLOPE_REACH_M, y, startM)) / run,
    (heightAt(x, y + SLOPE_REACH_M, startM) - heightAt(x, y - SLOPE_REACH_M, startM)) / run,
  ];
}
