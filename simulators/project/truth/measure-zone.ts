import type { Place } from "../../survey/coordinates/place.ts";
import { type Solid, solidReachM, solidTopM } from "../../survey/site/solid.ts";
import { buildingBlocks, buildingLevels } from "../zone/building-work.ts";
import { designChangeM, directionOf, type ProjectZone } from "../zone/project-zone.ts";
import type { GridPoint } from "../zone/site-grid.ts";
import { builtGroundM, naturalGroundM, planeM, type SiteGround } from "../zone/site-ground.ts";
import type { ZoneWork } from "../zone/zone-plan.ts";

/** What is true of a zone at one time. */
export interface TrueProgress {
  /** By the zone's metric, 0 to 100: docs/progress-method.md#surfaces on the true surfaces of what is built to stay. */
  readonly percent: number;
  /** Beyond the design, and what it still asks for, cubic metres; of a building 0. */
  readonly overbuildM3: number;
  readonly remainingM3: number;
  /** Raised or dug up to now, cubic metres. */
  readonly movedM3: number;
  /** Share of the zone that machines, trees and the like do not hide from straight above, 0 to 1. */
  readonly clearShare: number;
  /** Share of a building's plan at or above each level. */
  readonly levels?: readonly { readonly name: string; readonly share: number }[];
}

/** Edge of the cells that are summed over, metres. */
const CELL_M = 0.1;
/** Lifts smaller than this are not planned work (tau_plan of docs/progress-method.md#surfaces), metres. */
const LEAST_LIFT_M = 0.05;
/** What lies this near to its design is done, metres; levels of a building: as in A1. */
const TOLERANCE_M = 0.05;
const LEVEL_TOLERANCE_M = 0.15;
/** Things lower than this hide nothing, metres. */
const LYING_M = 0.1;

type BuildingWork = Extract<ZoneWork, { kind: "building" }>;

/** What a zone's plan asks for, cubic metres, mean lift where there is work (m) and area (m2). */
export interface PlannedWork {
  readonly volumeM3: number;
  readonly meanLiftM: number;
  readonly areaM2: number;
}

/** Measures one zone at any state of its work; what does not change is worked out once. */
export interface ZoneMeter {
  readonly planned: PlannedWork;
  /** @param others what hides the zone from above */
  measure(done: number, others: readonly Solid[]): TrueProgress;
}

/** The cells of a zone: their places and the ground before any work. */
interface Cells {
  readonly at: readonly GridPoint[];
  readonly places: readonly Place[];
  readonly naturalM: Float64Array;
  readonly designM: Float64Array;
}

export function createZoneMeter(ground: SiteGround, zone: ProjectZone): ZoneMeter {
  const cells = layCells(ground, zone);
  const { rect, work } = zone.plan;
  let lifts = 0;
  let worked = 0;
  for (const [i, naturalM] of cells.naturalM.entries()) {
    const liftM = Math.abs((cells.designM[i] ?? 0) - naturalM);
    if (liftM < LEAST_LIFT_M) continue;
    lifts += liftM;
    worked += 1;
  }
  return {
    planned: {
      volumeM3: lifts * CELL_M ** 2,
      meanLiftM: worked === 0 ? 0 : lifts / worked,
      areaM2: cells.at.length * CELL_M ** 2,
    },
    measure(done, others) {
      const reachM = Math.hypot(rect.halfLengthM, rect.halfWidthM);
      const hiding = others.filter((solid) => {
        const at = ground.grid.fromSite(solid.centre);
        const awayM = Math.hypot(at.alongM - rect.alongM, at.rightM - rect.rightM);
        return awayM < reachM + solidReachM(solid);
      });
      return work.kind === "building"
        ? measureBuilding(ground, zone, work, cells, done, hiding)
        : measureGround(ground, zone, cells, done, hiding);
    },
  };
}

function layCells(ground: SiteGround, { plan }: ProjectZone): Cells {
  const { rect } = plan;
  const rows = Math.round((2 * rect.halfLengthM) / CELL_M);
  const columns = Math.round((2 * rect.halfWidthM) / CELL_M);
  const at: GridPoint[] = [];
  for (let row = 0; row < rows; row += 1) {
    const alongM = rect.alongM - rect.halfLengthM + (row + 0.5) * CELL_M;
    for (let column = 0; column < columns; column += 1) {
      at.push({ alongM, rightM: rect.rightM - rect.halfWidthM + (column + 0.5) * CELL_M });
    }
  }
  const places = at.map((point) => ground.grid.toSite(point));
  return {
    ...{ at, places },
    naturalM: Float64Array.from(places, (place) => naturalGroundM(ground, place)),
    designM: Float64Array.from(
      places,
      (place, i) => planeM(ground, place) + designChangeM(plan, at[i] ?? rect),
    ),
  };
}

function measureGround(
  ground: SiteGround,
  zone: ProjectZone,
  { at, places, naturalM, designM }: Cells,
  done: number,
  hiding: readonly Solid[],
): TrueProgress {
  const { plan } = zone;
  const sign = directionOf(plan);
  const toleranceM = plan.toleranceM ?? TOLERANCE_M;
  let [planned, credited, plannedCells, cellsAtDesign] = [0, 0, 0, 0];
  let [over, missing, moved, hidden] = [0, 0, 0, 0];
  for (const [i, place] of places.entries()) {
    const beforeM = naturalM[i] ?? 0;
    const aimM = designM[i] ?? 0;
    const upM = builtGroundM(ground, zone, at[i] ?? plan.rect, place, done, beforeM);
    const liftM = aimM - beforeM;
    moved += sign * (upM - beforeM);
    if (isHidden(hiding, place, upM)) hidden += 1;
    const beyondM = sign * (upM - aimM);
    if (beyondM > toleranceM) over += beyondM;
    if (Math.abs(liftM) < LEAST_LIFT_M) continue;
    const isAtDesign = Math.abs(upM - aimM) <= toleranceM;
    planned += Math.abs(liftM);
    plannedCells += 1;
    if (isAtDesign) cellsAtDesign += 1;
    const part = Math.min(1, Math.max(0, (upM - beforeM) / liftM));
    // A layer that is thinner than the tolerance is at its design before it is begun.
    const isDone = isAtDesign && Math.abs(liftM) > 2 * toleranceM;
    credited += Math.abs(liftM) * (isDone ? 1 : part);
    missing += Math.abs(liftM) * (1 - part);
  }
  const percent = plan.metric === "area" ? cellsAtDesign / plannedCells : credited / planned;
  return {
    percent: 100 * percent,
    overbuildM3: over * CELL_M ** 2,
    remainingM3: missing * CELL_M ** 2,
    movedM3: moved * CELL_M ** 2,
    clearShare: 1 - hidden / places.length,
  };
}

function measureBuilding(
  ground: SiteGround,
  { plan: { rect, code } }: ProjectZone,
  work: BuildingWork,
  { places, naturalM, designM }: Cells,
  done: number,
  hiding: readonly Solid[],
): TrueProgress {
  const levels = buildingLevels(work);
  const { works } = buildingBlocks(work, rect, ground.grid, done, code);
  const footM = planeM(ground, ground.grid.toSite(rect));
  const reached = levels.map(() => 0);
  let [missing, moved, hidden] = [0, 0, 0];
  for (const [i, place] of places.entries()) {
    const beforeM = naturalM[i] ?? 0;
    let upM = beforeM;
    for (const solid of works) {
      upM = Math.max(upM, footM + solidTopM(solid, place.eastM, place.northM));
    }
    moved += upM - beforeM;
    missing += Math.max(0, (designM[i] ?? 0) - upM);
    if (isHidden(hiding, place, upM)) hidden += 1;
    for (const [k, { topM }] of levels.entries()) {
      if (upM - beforeM >= topM - LEVEL_TOLERANCE_M) reached[k] = (reached[k] ?? 0) + 1;
    }
  }
  const shares = reached.map((count) => count / places.length);
  const weights = levels.reduce((sum, { weight }) => sum + weight, 0);
  const earned = levels.reduce((sum, { weight }, k) => sum + weight * (shares[k] ?? 0), 0);
  return {
    percent: (100 * earned) / weights,
    overbuildM3: 0,
    remainingM3: missing * CELL_M ** 2,
    movedM3: moved * CELL_M ** 2,
    clearShare: 1 - hidden / places.length,
    levels: levels.map(({ name }, k) => ({ name, share: shares[k] ?? 0 })),
  };
}

/** Whether something covers a place, higher than what lies about. */
const isHidden = (solids: readonly Solid[], { eastM, northM }: Place, upM: number): boolean =>
  solids.some((solid) => solidTopM(solid, eastM, northM) > upM + LYING_M);
