import type { Random } from "../../randomness/random.ts";
import { advanceAt } from "./advance.ts";
import { buildingLevels } from "./building-work.ts";
import { builtLiftM, designLiftM } from "./earthwork.ts";
import { type GridPoint, type GridRect, insideM } from "./site-grid.ts";
import type { ZonePlan } from "./zone-plan.ts";

/** A zone of one simulated project. */
export interface ProjectZone {
  readonly plan: ZonePlan;
  /** Id of the project, a dash and the code. */
  readonly id: string;
  readonly seed: number;
  /** Share of its work that is done at the flight of a week (from 1), 0 to 1; percent come from surfaces. */
  doneAt(week: number): number;
}

export function createProjectZone(
  plan: ZonePlan,
  project: string,
  weeks: number,
  random: Random,
): ProjectZone {
  const seed = random.integer(1, 2 ** 28);
  return {
    plan,
    id: `${project}-${plan.code.toLowerCase()}`,
    seed,
    doneAt: (week) => advanceAt(week, weeks, plan.actual, seed),
  };
}

/** +1: the design lies above the ground, -1: below. */
export const directionOf = ({ work }: ZonePlan): 1 | -1 => (work.kind === "cut" ? -1 : 1);

/** The ground that a zone's work changes: its own, and slabs a little beyond. */
export function builtRect({ work, rect }: ZonePlan): GridRect {
  if (work.kind !== "slabs") return rect;
  return {
    ...rect,
    halfLengthM: rect.halfLengthM + work.beyondM,
    halfWidthM: rect.halfWidthM + work.beyondM,
  };
}

/**
 * Signed change of height that a zone's design asks for at a place, from the plane of the site; 0 outside of
 * it. Of a building: its top.
 */
export function designChangeM({ work, rect }: ZonePlan, at: GridPoint): number {
  if (insideM(rect, at) < 0) return 0;
  if (work.kind === "slabs") return work.heightM;
  if (work.kind === "building") return buildingLevels(work).at(-1)?.topM ?? 0;
  return (work.kind === "cut" ? -1 : 1) * designLiftM(work, rect, at);
}

/** Signed change of the ground's height by a zone when a share of its work is done; buildings are solids. */
export function groundChangeM({ plan, seed }: ProjectZone, at: GridPoint, done: number): number {
  const { work, rect } = plan;
  if (work.kind === "building" || done <= 0 || insideM(builtRect(plan), at) < 0) return 0;
  if (work.kind !== "slabs") {
    return (work.kind === "cut" ? -1 : 1) * builtLiftM(work, rect, at, done, seed);
  }
  const { along, across } = work.bays;
  const index = (share: number, count: number) =>
    Math.min(count - 1, Math.max(0, Math.floor(share * count)));
  const row = index((at.alongM - rect.alongM) / rect.halfLengthM / 2 + 0.5, along);
  const column = index((at.rightM - rect.rightM) / rect.halfWidthM / 2 + 0.5, across);
  return row * across + column < Math.floor(done * along * across + 1e-9) ? work.heightM : 0;
}
