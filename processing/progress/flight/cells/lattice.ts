import type { GridFrame } from "../../../grid/elevation-grid.ts";

/** Where the cells of all grids of a datum have their corners: ENU, metres. */
export interface Lattice {
  readonly westM: number;
  readonly northM: number;
  readonly cellM: number;
}

/** A part of the plan, metres. */
export interface PlanBox {
  readonly westM: number;
  readonly southM: number;
  readonly eastM: number;
  readonly northM: number;
}

/**
 * The grid on a lattice that covers a box. Its cells are those of the lattice, or 2, 4, 8 ... times as
 * large so that there are `mostCells` at most; corners of large cells lie on multiples of theirs, so that
 * small ones of one grid fill large ones of another.
 * @param leastCellM no cell is smaller
 */
export function gridOn(
  lattice: Lattice,
  box: PlanBox,
  mostCells: number,
  leastCellM = 0,
): GridFrame {
  for (let multiple = 1; ; multiple *= 2) {
    const cellM = lattice.cellM * multiple;
    const column = Math.floor((box.westM - lattice.westM) / cellM);
    const row = Math.floor((lattice.northM - box.northM) / cellM);
    const width = Math.max(1, Math.ceil((box.eastM - lattice.westM) / cellM) - column);
    const height = Math.max(1, Math.ceil((lattice.northM - box.southM) / cellM) - row);
    if (width * height > mostCells || cellM < leastCellM * (1 - ROUNDING)) continue;
    return {
      westM: lattice.westM + column * cellM,
      northM: lattice.northM - row * cellM,
      cellM,
      width,
      height,
    };
  }
}

/** Of cells that were multiplied and divided. */
const ROUNDING = 1e-9;

/** The box around points in plan. */
export function boxAround(points: readonly (readonly [number, number])[], marginM = 0): PlanBox {
  let [westM, southM] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [eastM, northM] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [x, y] of points) {
    westM = Math.min(westM, x);
    eastM = Math.max(eastM, x);
    southM = Math.min(southM, y);
    northM = Math.max(northM, y);
  }
  return {
    westM: westM - marginM,
    southM: southM - marginM,
    eastM: eastM + marginM,
    northM: northM + marginM,
  };
}

/** The box that a grid covers. */
export function boxOfGrid({ westM, northM, cellM, width, height }: GridFrame): PlanBox {
  return { westM, northM, eastM: westM + width * cellM, southM: northM - height * cellM };
}
