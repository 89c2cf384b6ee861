import { type Building, done } from "./building.ts";

/** What is in one cell (a bay of a floor). */
export const CELL = {
  air: 0,
  /** Posts only, or half of the floor's bays. */
  rising: 1,
  frame: 2,
  /** A wall with holes for windows. */
  wall: 3,
  insulated: 4,
  clad: 5,
} as const;

/** State of a building at a percent of its progress. */
export interface BuildingState {
  readonly percent: number;
  /** One of CELL for each cell, lowest floor first. */
  readonly cells: Uint8Array;
  /** Cells with a pane in their window. */
  readonly hasPane: Uint8Array;
  /** Floors that stand, with the share of the one that rises. */
  readonly floorsUp: number;
  readonly groundworks: number;
  readonly roof: number;
  readonly outside: number;
}

/** What a building looks like at a percent: pure, and the same for every picture. */
export function buildingState(building: Building, percent: number): BuildingState {
  const { floors, bays } = building;
  const count = floors * bays;
  const floorsUp = done(building.frame, percent) * floors;
  const cells = new Uint8Array(count);
  for (let cell = 0; cell < count; cell += 1) {
    const above = floorsUp - Math.floor(cell / bays);
    // Of the floor that rises, bays come from one end to the other.
    if (above >= 1) cells[cell] = CELL.frame;
    else if (above > (cell % bays) / bays) cells[cell] = CELL.rising;
  }
  const put = (order: readonly number[], share: number, least: number, state: number): void => {
    for (const cell of order.slice(0, Math.round(share * count))) {
      if ((cells[cell] ?? 0) >= least) cells[cell] = state;
    }
  };
  put(building.wallOrder, done(building.walls, percent), CELL.frame, CELL.wall);
  put(building.claddingOrder, done(building.insulation, percent), CELL.wall, CELL.insulated);
  put(building.claddingOrder, done(building.cladding, percent), CELL.wall, CELL.clad);
  const hasPane = new Uint8Array(count);
  for (const cell of building.windowOrder.slice(
    0,
    Math.round(done(building.windows, percent) * count),
  )) {
    if ((cells[cell] ?? 0) >= CELL.wall) hasPane[cell] = 1;
  }
  return {
    percent,
    cells,
    hasPane,
    floorsUp,
    groundworks: done(building.groundworks, percent),
    roof: done(building.roof, percent),
    outside: done(building.outside, percent),
  };
}
