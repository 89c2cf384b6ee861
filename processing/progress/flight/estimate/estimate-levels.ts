import type { ZoneLevel } from "../../../../domain/sites/work-zone.ts";
import { rounded } from "../../../numeric/rounding.ts";
import { withoutWidening } from "../cells/widened-steps.ts";
import { planAsSeen, withoutRim } from "../cells/zone-rim.ts";
import {
  LEVEL_COMPLETE,
  type LevelState,
  levelShare,
  levelStates,
  riseOf,
  shareAbove,
} from "./level-progress.ts";
import {
  AT_DESIGN,
  AT_DESIGN_OBSERVED,
  type MetricEstimate,
  type SeenZone,
} from "./metric-estimate.ts";
import { percentInterval, rimTerm, termFigures, unseenTerm } from "./percent-interval.ts";
import { placeTerm } from "./zone-sight.ts";

/**
 * What a level that looks whole and is not confirmed may be worth at least: formwork over all of it, half of its
 * work. Lower widens the interval downwards, higher counts formwork as a slab.
 */
const FORMWORK_SHARE = 0.5;

/** Name of the figure that keeps what a flight saw of a level, for the next one; levels count from 1. */
const levelFigure = (f: number): string => `level_${f + 1}_share`;
/** Tops of the levels as a flight knew them: shares of other levels are not evidence. */
const TOPS_FIGURE = "level_tops_m";
const topsOf = (levels: readonly ZoneLevel[]): string =>
  levels.map(({ top_m: topM }) => topM).join(" ");

/** The shares of levels that an estimate kept; `undefined`: it has none of these levels. */
export function keptLevels(
  figures: Readonly<Record<string, number | string | boolean>>,
  levels: readonly ZoneLevel[],
): readonly number[] | undefined {
  if (figures[TOPS_FIGURE] !== topsOf(levels)) return undefined;
  return levels.map((_, f) => Number(figures[levelFigure(f)] ?? 0));
}

/** Buildings: levels by the share of their cells that are as high as planned (docs/progress-method.md#buildings). */
export function estimateLevels(
  levels: readonly ZoneLevel[],
  earlier: readonly number[] | undefined,
  zone: SeenZone,
): MetricEstimate {
  const { cells, detection, observed, errors, scaleSigma } = zone;
  const rise = riseOf(cells);
  const weights = withoutRim(cells, zone.sourceCellM);
  const floors = sharpened(zone, weights, rise);
  /** Heights for each level, with so many times the mean widening of its edges taken off. */
  const slimmed = (times: number) =>
    levels.map(({ top_m: topM }, f) => {
      const step = { bottomM: bottomOf(levels, f), topM };
      return withoutWidening(cells.frame, { rise, floors }, weights, zone.sourceCellM, step, times);
    });
  /** Shares of the levels, with all tops raised by so many standard deviations of the heights there. */
  const sharesOf = (heights: readonly Float32Array[], by = weights, sigmas = 0) =>
    levels.map(({ top_m: topM }, f) => {
      const sigmaM = Math.hypot(errors.meanSigmaM(zone.planned.areaM2), scaleSigma * topM);
      // A tolerance beyond half of the level would take the one below for it.
      const toleranceM = Math.min(detection.toleranceM, (topM - bottomOf(levels, f)) / 2);
      return shareAbove(heights[f] ?? rise, by, topM - toleranceM + sigmas * sigmaM);
    });
  const shareOf = (...asked: Parameters<typeof sharesOf>) =>
    levelShare(levelStates(levels, sharesOf(...asked), earlier));
  const slim = slimmed(1);
  const states = levelStates(levels, sharesOf(slim), earlier);
  const share = levelShare(states);
  const percent = 100 * share;
  const away = [1, -1].map((sigmas) => Math.abs(shareOf(slim, weights, sigmas) - share));
  const asSeen = levels.map(() => rise);
  const sharp = levels.map(() => floors);
  const seen = sharesOf(asSeen);
  const seenShare = shareOf(asSeen);
  const atEdges = [seenShare, shareOf(slimmed(2))].map((one) => Math.abs(one - share));
  const terms = {
    bias: 100 * Math.max(...away),
    noise: 0,
    // An edge is widened by nothing up to twice the mean, evenly.
    edges: (100 * Math.max(...atEdges)) / Math.sqrt(3),
    design: 0,
    scale: 0,
    place: placeTerm(zone, (moved) => shareOf(slim, moved)),
    // Both as they were seen: what is low at the zone's line is no open part of a level.
    rim: rimTerm(shareOf(sharp, cells.share), seenShare),
    unseen: unseenTerm(observed, Math.max(0, ...states.map(spreadOf))),
  };
  const top = states.at(-1);
  const isAtTop = (top?.share ?? 0) >= AT_DESIGN && states.every(({ isComplete }) => isComplete);
  const unconfirmed = states.filter(({ isUnconfirmed }) => isUnconfirmed);
  return {
    raw_progress: percent,
    interval_95: percentInterval(percent, terms, {
      below: pointsOf(levels, states, (one) =>
        one.isUnconfirmed ? LEVEL_COMPLETE - FORMWORK_SHARE : 0,
      ),
      above: pointsOf(levels, states, (one, f) => {
        if (one.isUnconfirmed) return 1 - LEVEL_COMPLETE;
        if (one.isComplete) return 0;
        return Math.max(0, storeyShare(rise, weights, levels, f) - (seen[f] ?? 0));
      }),
    }),
    is_at_design: isAtTop && observed >= AT_DESIGN_OBSERVED,
    notes: unconfirmed.map(
      ({ level }) =>
        `${level.name} looks whole and may be formwork: it counts with ${100 * LEVEL_COMPLETE} % until the next flight, or the next level, confirms it.`,
    ),
    figures: {
      levels_complete: states.filter(({ isComplete }) => isComplete).length,
      [TOPS_FIGURE]: topsOf(levels),
      ...Object.fromEntries(states.map((one, f) => [levelFigure(f), rounded(one.share, 4)])),
      ...termFigures(terms),
    },
  };
}

/** The heights of a zone that is nearly all rim, were they not rounded off; of others, as they are. */
function sharpened(
  { cells, sourceCellM }: SeenZone,
  weights: Float32Array,
  rise: Float32Array,
): Float32Array {
  const { design, before } = cells;
  if (weights !== cells.share) return rise;
  const { design: seen } = planAsSeen(cells, sourceCellM);
  return rise.map((one, i) => {
    const z = before[i] ?? Number.NaN;
    return (one * ((design[i] ?? Number.NaN) - z)) / ((seen[i] ?? Number.NaN) - z);
  });
}

/** Where a level begins: the top of the one below, or the baseline, metres above that. */
const bottomOf = (levels: readonly ZoneLevel[], f: number): number => levels[f - 1]?.top_m ?? 0;

const spreadOf = ({ share, credit }: LevelState): number =>
  credit === 1 ? 0 : Math.sqrt(share * (1 - share));

/** The contribution of a part of each level to the percent, points. */
function pointsOf(
  levels: readonly ZoneLevel[],
  states: readonly LevelState[],
  partOf: (state: LevelState, f: number) => number,
): number {
  const total = levels.reduce((sum, { weight }) => sum + weight, 0);
  const sum = states.reduce((all, one, f) => all + one.level.weight * partOf(one, f), 0);
  return (100 * sum) / total;
}

/**
 * How much of the height between a level and the one below is built, 0 to 1: walls and columns of a level
 * that has not got its slab.
 */
function storeyShare(
  rise: Float32Array,
  weights: Float32Array,
  levels: readonly ZoneLevel[],
  f: number,
): number {
  const topM = levels[f]?.top_m ?? 0;
  const fromM = bottomOf(levels, f);
  let [all, sum] = [0, 0];
  for (let i = 0; i < rise.length; i += 1) {
    const weight = weights[i] ?? 0;
    const z = rise[i] ?? Number.NaN;
    if (weight === 0 || Number.isNaN(z)) continue;
    all += weight;
    sum += weight * Math.min(1, Math.max(0, (z - fromM) / (topM - fromM)));
  }
  return all === 0 ? 0 : sum / all;
}
