import { upperMedian } from "../../numeric/median.ts";

/** Heights of a raster, metres; row-major; NaN = no data. */
interface Heights {
  readonly heights: Float32Array;
  readonly columns: number;
  readonly rows: number;
}

/** Regions of one value that is a usual fill, by what their rims say. */
export interface FillRegions {
  /** Cells of each region that no ground makes: it ends abruptly where ground begins that was measured. */
  readonly filled: readonly Int32Array[];
  /** How many cells lie in regions that may be a fill as well as a floor or water. */
  readonly doubted: number;
  /** Their value, metres. */
  readonly doubtedValue: number | undefined;
}

/** Cells of a region, at least: fewer are a plate, or chance. */
const LEAST_CELLS = 16;
/** Places along a rim that are enough to decide by, at least. */
const LEAST_RIM = 16;
/**
 * A rim is abrupt where two cells beyond it are so many times as high as the next one differs from them. Slopes have
 * 2 there, a hemisphere on a level floor 4.4.
 */
const ABRUPT = 6;
/** ... and so many steps of heights that were rounded. */
const ABRUPT_STEPS = 3;
/** Ground that was measured bends from cell to cell by this, metres; what was drawn is plane or level. */
const LEAST_GRAIN_M = 0.001;
/** Shares of a rim that are abrupt: of a fill in most places, of one without ground beyond it all around. */
const MOSTLY = 0.5;
const ALL_AROUND = 0.9;
/** A region of this share of the raster is large. */
const LARGE_SHARE = 0.05;

/**
 * Finds fills among heights near their value, where a gap in height decides nothing. They are connected
 * regions of exactly one value whose rim is a step; ground falls to sea level by small steps. A region is a
 * fill when its rim is abrupt nearly all around; half of it is enough where the region meets the edge of the
 * raster or is large. Beyond a rim without any grain lies a drawn surface, whose floor may well be 0: such
 * regions are only doubted.
 * @param isFill whether a height, metres, is one that programs fill with
 * @param stepM what heights were rounded to; 0: not so that it matters
 */
export function fillRegions(
  { heights, columns, rows }: Heights,
  isFill: (heightM: number) => boolean,
  stepM: number,
): FillRegions {
  const cells = columns * rows;
  const seen = new Uint8Array(cells);
  const filled: Int32Array[] = [];
  // All regions one behind the other: no cell is in two. Pages that none reaches take no memory.
  let queue: Int32Array | undefined;
  let used = 0;
  let doubted = 0;
  let doubtedValue: number | undefined;
  for (let start = 0; start < cells; start += 1) {
    const z = heights[start] ?? Number.NaN;
    // A region has neighbours of its value: nearly every other cell ends here.
    if (seen[start] !== 0 || heights[start + 1] !== z || !isFill(z)) continue;
    const region = regionFrom(start);
    if (region.cells.length < LEAST_CELLS) continue;
    const kind = kindOf(region);
    if (kind === "ground") continue;
    if (kind === "fill") filled.push(region.cells);
    else {
      doubted += region.cells.length;
      doubtedValue ??= z;
    }
  }
  return { filled, doubted, doubtedValue };

  interface Region {
    readonly cells: Int32Array;
    readonly rim: readonly RimPlace[];
    readonly meetsEdge: boolean;
  }

  function regionFrom(start: number): Region {
    const z = heights[start] ?? Number.NaN;
    queue ??= new Int32Array(cells);
    const first = used;
    queue[used++] = start;
    const rim: RimPlace[] = [];
    let meetsEdge = false;
    seen[start] = 1;
    for (let next = first; next < used; next += 1) {
      const cell = queue[next] ?? 0;
      const [column, row] = [cell % columns, Math.floor(cell / columns)];
      for (const [right, down] of SIDES) {
        const [c, r] = [column + right, row + down];
        if (c < 0 || r < 0 || c >= columns || r >= rows) {
          meetsEdge = true;
          continue;
        }
        const beside = r * columns + c;
        const other = heights[beside] ?? Number.NaN;
        if (other === z) {
          if (seen[beside] === 0) {
            seen[beside] = 1;
            queue[used++] = beside;
          }
          continue;
        }
        // Resampling mixes a fill into the cell beside it: the ground is read from the next one on.
        const ground = (away: number) => {
          const [x, y] = [column + away * right, row + away * down];
          const isInside = x >= 0 && y >= 0 && x < columns && y < rows;
          return isInside ? (heights[y * columns + x] ?? Number.NaN) : Number.NaN;
        };
        const [first, second, third] = [ground(2), ground(3), ground(4)];
        const grainM = Math.abs(first - 2 * second + third);
        if (Number.isNaN(grainM)) continue;
        rim.push({ jumpM: Math.abs(first - z), riseM: Math.abs(second - first), grainM });
      }
    }
    return { cells: queue.subarray(first, used), rim, meetsEdge };
  }

  function kindOf(region: Region): "fill" | "doubted" | "ground" {
    const { rim, meetsEdge } = region;
    if (rim.length < LEAST_RIM) return "ground";
    const riseM = upperMedian(rim.map((place) => place.riseM)) ?? 0;
    const grainM = upperMedian(rim.map((place) => place.grainM)) ?? 0;
    const abruptM = Math.max(ABRUPT * Math.max(riseM, LEAST_GRAIN_M), ABRUPT_STEPS * stepM);
    const share = rim.filter(({ jumpM }) => jumpM > abruptM).length / rim.length;
    if (share < MOSTLY) return "ground";
    const isOpen = meetsEdge || region.cells.length >= LARGE_SHARE * cells;
    return grainM >= LEAST_GRAIN_M && (isOpen || share >= ALL_AROUND) ? "fill" : "doubted";
  }
}

/** A place along a region's rim, metres. */
interface RimPlace {
  /** From the region's value to the ground beyond the rim. */
  readonly jumpM: number;
  /** What that ground rises or falls in the next cell. */
  readonly riseM: number;
  /** How much it bends there. */
  readonly grainM: number;
}

const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
