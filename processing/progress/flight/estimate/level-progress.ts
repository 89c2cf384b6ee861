import type { ZoneLevel } from "../../../../domain/sites/work-zone.ts";
import type { ZoneCells } from "../cells/zone-cells.ts";

/** Share of a level's cells from which on it may count as complete, and the cap of an unconfirmed one. */
export const LEVEL_COMPLETE = 0.9;
/**
 * Share of a level's cells that show that it has begun: columns and the first bays of formwork. Lower, a crane's
 * load begins a level; higher, a begun one counts as nothing for longer.
 */
const LEVEL_BEGUN = 0.1;

/** What was seen of one level. */
export interface LevelState {
  readonly level: ZoneLevel;
  /** Share of the seen cells at or above its top, 0 to 1. */
  readonly share: number;
  /** Counts as complete: nearly all of it is there, and the next level or an earlier flight says so too. */
  readonly isComplete: boolean;
  /** Nearly all of it is there, and it may be formwork. */
  readonly isUnconfirmed: boolean;
  /** What it counts with, 0 to 1. */
  readonly credit: number;
}

/** Height of each cell above its baseline, metres; NaN where one of the two is not known. */
export const riseOf = ({ now, before }: Pick<ZoneCells, "now" | "before">): Float32Array =>
  now.map((z, i) => z - (before[i] ?? Number.NaN));

/**
 * Share of the seen cells that lie at or above a height over the baseline, 0 to 1, by area; NaN when nothing
 * was seen.
 */
export function shareAbove(rise: Float32Array, weights: Float32Array, heightM: number): number {
  let [above, all] = [0, 0];
  for (let i = 0; i < rise.length; i += 1) {
    const weight = weights[i] ?? 0;
    const z = rise[i] ?? Number.NaN;
    if (weight === 0 || Number.isNaN(z)) continue;
    all += weight;
    if (z >= heightM) above += weight;
  }
  return above / all;
}

/**
 * Levels of a building by the shares of their cells (docs/progress-method.md#buildings): formwork and scaffold are
 * higher than the slab that they are for. So a level counts as complete only when nearly all of it is there
 * and it is confirmed: the next level has begun (nobody builds on formwork), or an earlier flight saw it
 * whole. Until then it is capped.
 * @param shares of the levels, in their order
 * @param earlier shares that the flight before found; `undefined`: there is none
 */
export function levelStates(
  levels: readonly ZoneLevel[],
  shares: readonly number[],
  earlier: readonly number[] | undefined,
): readonly LevelState[] {
  return levels.map((level, f) => {
    const share = shares[f] ?? 0;
    const isWhole = share >= LEVEL_COMPLETE;
    const isNextBegun = shares.slice(f + 1).some((next) => next >= LEVEL_BEGUN);
    const wasWhole = (earlier?.[f] ?? 0) >= LEVEL_COMPLETE;
    const isComplete = isWhole && (isNextBegun || wasWhole);
    return {
      level,
      share,
      isComplete,
      isUnconfirmed: isWhole && !isComplete,
      credit: isComplete ? 1 : Math.min(LEVEL_COMPLETE, share),
    };
  });
}

/** Percent of the levels by their weights, as a share of 0 to 1. */
export function levelShare(states: readonly LevelState[]): number {
  const total = states.reduce((sum, { level }) => sum + level.weight, 0);
  return states.reduce((sum, { level, credit }) => sum + level.weight * credit, 0) / total;
}
