import type { Block, Colour } from "../../survey/site/solid.ts";
import type { GridRect, SiteGrid } from "./site-grid.ts";
import type { ZoneWork } from "./zone-plan.ts";

type BuildingWork = Extract<ZoneWork, { kind: "building" }>;

/** Top of the base slab above the ground, metres. */
const SLAB_M = 0.4;
/** Bays that a slab is concreted in. */
const BAYS = 4;
/** Slabs reach so far beyond the zone, which is drawn along the axes of the outer columns, metres. */
const OVERHANG_M = 0.3;
/** Columns of the next storey, edge formwork of a fresh slab and its thickness, metres. */
const COLUMN_M = 1.6;
const FORMWORK_M = 1;
const FORMWORK_HALF_M = 0.06;
const CORE_HALF_M = 1.2;

const CONCRETE: Colour = [0.42, 0.41, 0.39];
const FRESH: Colour = [0.33, 0.33, 0.32];
const MASONRY: Colour = [0.34, 0.22, 0.16];
const PLYWOOD: Colour = [0.45, 0.3, 0.1];

/** A level of a building by its work: the base slab is half the work of a storey. */
export interface BuildingLevel {
  readonly name: string;
  readonly topM: number;
  readonly weight: number;
}

/** The levels from the base slab up. */
export function buildingLevels({ storeys, storeyM }: BuildingWork): BuildingLevel[] {
  return [
    { name: "Base slab", topM: SLAB_M, weight: 1 },
    ...Array.from({ length: storeys }, (_, i) => ({
      name: `Level ${i + 1}`,
      topM: SLAB_M + storeyM * (i + 1),
      weight: 2,
    })),
  ];
}

/** Bays of a building that are concreted. */
export interface BuildingState {
  /** Levels that are whole, from 0. */
  readonly whole: number;
  /** Bays of the level in work, 0 to `BAYS` - 1. */
  readonly bays: number;
}

/** How far a building is when a share of its work, by the levels' weights, is done. */
export function buildingState(work: BuildingWork, done: number): BuildingState {
  const levels = buildingLevels(work);
  let rest = done * levels.reduce((sum, { weight }) => sum + weight, 0) + 1e-9;
  let whole = 0;
  for (const { weight } of levels) {
    if (rest < weight) return { whole, bays: Math.floor((rest / weight) * BAYS) };
    rest -= weight;
    whole += 1;
  }
  return { whole, bays: 0 };
}

/** Blocks with heights above the building's ground: what stays, and what is only there to build it. */
export function buildingBlocks(
  work: BuildingWork,
  rect: GridRect,
  grid: SiteGrid,
  done: number,
  owner: string,
): { readonly works: Block[]; readonly aids: Block[] } {
  const levels = buildingLevels(work);
  const { whole, bays } = buildingState(work, done);
  const topOf = (count: number) => levels[count - 1]?.topM ?? -0.5;
  const works: Block[] = [];
  const aids: Block[] = [];
  const add = (
    list: Block[],
    [alongM, rightM]: readonly [number, number],
    [halfLengthM, halfWidthM]: readonly [number, number],
    [bottomM, topM]: readonly [number, number],
    colour: Colour,
    sides: Block["sides"] = "plain",
  ) =>
    list.push({
      kind: "block",
      owner,
      centre: grid.toSite({ alongM: rect.alongM + alongM, rightM: rect.rightM + rightM }),
      ...{ bottomM, topM, halfLengthM, halfWidthM, colour, sides },
      azimuthRad: grid.azimuthRad,
      seed: 1 + whole * 37 + list.length,
    });
  const halfLengthM = rect.halfLengthM + OVERHANG_M;
  const halfWidthM = rect.halfWidthM + OVERHANG_M;
  const topM = topOf(whole);
  if (whole > 0) add(works, [0, 0], [halfLengthM, halfWidthM], [-0.5, SLAB_M], CONCRETE);
  if (whole > 1) {
    add(works, [0, 0], [halfLengthM, halfWidthM], [SLAB_M, topM], MASONRY, "windows");
  }
  if (whole === levels.length) return { works, aids };
  const nextM = topOf(whole + 1);
  const bayHalfM = halfLengthM / BAYS;
  const bayAt = (bay: number) => (2 * bay + 1) * bayHalfM - halfLengthM;
  for (let bay = 0; bay < bays; bay += 1) {
    add(works, [bayAt(bay), 0], [bayHalfM, halfWidthM], [Math.max(-0.5, topM), nextM], FRESH);
  }
  // Edge formwork of the bay that was concreted last.
  if (bays > 0) {
    for (const side of [-1, 1]) {
      add(
        aids,
        [bayAt(bays - 1), side * (halfWidthM - FORMWORK_HALF_M)],
        [bayHalfM, FORMWORK_HALF_M],
        [nextM, nextM + FORMWORK_M],
        PLYWOOD,
      );
    }
  }
  if (whole === 0) return { works, aids };
  // The stair's core is a storey ahead; columns stand ready where the next slab is not yet.
  add(works, [halfLengthM * 0.3, 0], [CORE_HALF_M, CORE_HALF_M], [topM, nextM], CONCRETE);
  for (let bay = bays; bay < BAYS; bay += 1) {
    for (const side of [-1, 1]) {
      add(
        aids,
        [bayAt(bay), side * (halfWidthM - 0.3)],
        [0.2, 0.2],
        [topM, topM + COLUMN_M],
        CONCRETE,
      );
    }
  }
  return { works, aids };
}
