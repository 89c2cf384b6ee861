import { type CellMask, grown, regionsOf } from "../../../grid/cell-mask.ts";
import type { GridFrame } from "../../../grid/elevation-grid.ts";
import { opened, reconstructed } from "./window-filters.ts";

/**
 * What is narrower than this in some direction may be a machine, two trucks side by side, or a tree, metres.
 * An excavator of 3 m and its boom are 6 m wide in a surface with cells of 0.37 m.
 */
const WIDTH_M = 7;
/**
 * It stands out by so much, metres, and so steeply at its flanks: dumped soil lies at 33 to 38 degrees. Lower
 * values take heaps for machines, higher ones count cars as fill.
 */
const STANDS_M = 0.8;
const STEEP = 0.85;
/**
 * Share of its flanks that must be steep: matching draws out those that lie in shadow. Of a simulated
 * excavator in cells of 0.37 m it was two fifths; lower, steep heaps pass for machines.
 */
const STEEP_SHARE = 0.3;
/** Matching smears things over so many cells of the survey. */
const SMEAR_CELLS = 2;
/**
 * Coarser cells do not distinguish objects from soil, metres: a machine is three of them. Larger, heaps are
 * taken away as machines; smaller, coarse surveys keep their machines as fill.
 */
const COARSEST_M = 1;

/**
 * Cells on which something other than earth stands: narrow, high and steep on some of its flanks; 1 or 0
 * each. Heaps and batters are as wide as they are high and lie less steep all around; what is wider than 7 m
 * in both directions is taken for work.
 * @param rise of each cell above the baseline, metres; NaN = not known
 * @param sourceCellM cell of the survey
 */
export function standingObjects(
  frame: GridFrame,
  rise: Float32Array,
  sourceCellM: number,
): CellMask {
  const { width, height, cellM } = frame;
  const objects: CellMask = { width, height, cells: new Uint8Array(rise.length) };
  if (cellM > COARSEST_M) return objects;
  const wide = opened(frame, rise, Math.max(1, Math.round(WIDTH_M / cellM / 2)));
  const soil = reconstructed(frame, wide, rise);
  const above = rise.map((z, i) => z - (soil[i] ?? Number.NaN));
  const cells = Uint8Array.from(above, (z) => (z > STANDS_M ? 1 : 0));
  for (const region of regionsOf({ width, height, cells })) {
    if (!isSteep(frame, above, region)) continue;
    for (const cell of region) objects.cells[cell] = 1;
  }
  return grown(objects, (SMEAR_CELLS * sourceCellM) / cellM);
}

/** Height at which flanks are checked, as a share of the highest: matching rounds off feet and tops. */
const FLANK = 0.5;

/** Whether an object's flanks are steep enough at half of its height. */
function isSteep(
  { width, height, cellM }: GridFrame,
  above: Float32Array,
  region: readonly number[],
): boolean {
  const highest = region.reduce((most, cell) => Math.max(most, above[cell] ?? 0), 0);
  const isUp = (cell: number) => (above[cell] ?? Number.NaN) > FLANK * highest;
  let [flanks, steep] = [0, 0];
  for (const cell of region) {
    if (!isUp(cell)) continue;
    const [col, row] = [cell % width, Math.floor(cell / width)];
    for (const [right, down] of DIRECTIONS) {
      const beside = (steps: number): number => {
        const [c, r] = [col + steps * right, row + steps * down];
        return c >= 0 && r >= 0 && c < width && r < height ? r * width + c : -1;
      };
      const out = beside(1);
      if (out >= 0 && isUp(out)) continue;
      flanks += 1;
      const outer = above[out] ?? Number.NaN;
      const inner = above[beside(-1)] ?? above[cell] ?? 0;
      // Unseen cells beside it lie in its shadow.
      if (Number.isNaN(outer) || (inner - outer) / (2 * cellM) > STEEP) steep += 1;
    }
  }
  return steep >= STEEP_SHARE * flanks;
}

const DIRECTIONS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
