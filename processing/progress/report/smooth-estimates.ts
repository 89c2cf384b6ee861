import { isotonic } from "./isotonic.ts";
import type { ZonePoint, ZoneWord } from "./zone-history.ts";

/** The newest of a zone's estimates, smoothed with the older ones. */
export interface SmoothedEstimate {
  /** Percent that is published, before caps. */
  readonly progress: number;
  /** Captures that it rests on, oldest first: more than one where estimates were pooled. */
  readonly pooled: readonly ZonePoint[];
  /** The raw figure fell by more than its half-width below what was published before. */
  readonly hasFallen: boolean;
  /** What was published before it. */
  readonly before: number;
}

/**
 * Half-width of an estimate that cannot be bounded yet, points: that of 12 labels, the fewest that were
 * measured with bounds (docs/progress-method.md#fixed-cameras: mean width 49).
 */
const UNBOUNDED_POINTS = 25;
/**
 * Half-widths count as at least so much, points. Smaller, one estimate silences all others; larger, good ones
 * count no more than poor ones.
 */
const LEAST_POINTS = 1;

export const isByImages = ({ estimate }: ZonePoint): boolean => !estimate.method.startsWith("dsm_");

/**
 * Estimates by images err by tens of points, work seldom goes back: the newest one is published after
 * isotonic smoothing over time, weighted by precision, and never below a person's word before it. A fall
 * lowers the published figure as far as the precision of the estimates before it allows, and is reported.
 * Estimates by geometry are not smoothed: their interval is known, and fill that was dug away again, or a cut
 * that slid in, is a fact. They also begin a new series of estimates by images.
 */
export function smoothEstimates(
  start: ZoneWord,
  estimates: readonly ZonePoint[],
): SmoothedEstimate | undefined {
  const newest = estimates.at(-1);
  if (newest === undefined) return undefined;
  const earlier = estimates.slice(0, -1);
  const before = level(start, earlier)?.progress ?? wordUntil(start, newest.atMs);
  const limit = isByImages(newest)
    ? halfWidth(newest)
    : Math.hypot(halfWidth(newest), measuredHalfWidth(earlier.at(-1)));
  const { progress, pooled } = level(start, estimates) ?? {
    progress: newest.raw,
    pooled: [newest],
  };
  return { progress, pooled, hasFallen: before - newest.raw > limit, before };
}

/** What the newest of some estimates is published as. */
function level(
  start: ZoneWord,
  estimates: readonly ZonePoint[],
): Pick<SmoothedEstimate, "progress" | "pooled"> | undefined {
  const newest = estimates.at(-1);
  if (newest === undefined) return undefined;
  if (!isByImages(newest)) return { progress: newest.raw, pooled: [newest] };
  const rowStart = estimates.findLastIndex((point) => !isByImages(point)) + 1;
  const row = estimates.slice(rowStart);
  const floor = estimates[rowStart - 1]?.raw ?? wordUntil(start, newest.atMs);
  const smooth = isotonic(
    row.map(({ raw }) => raw),
    row.map((point) => 1 / halfWidth(point) ** 2),
  );
  const last = smooth.at(-1) ?? newest.raw;
  return {
    progress: Math.max(floor, last),
    pooled: row.filter((_, i) => smooth[i] === last),
  };
}

/** Percent by a person's word, or what was declared; one that is of a later time says nothing yet. */
const wordUntil = (start: ZoneWord, atMs: number): number =>
  start.atMs <= atMs ? start.progress : 0;

function halfWidth({ estimate: { interval_95 } }: ZonePoint): number {
  if (interval_95 === undefined) return UNBOUNDED_POINTS;
  return Math.max(LEAST_POINTS, (interval_95[1] - interval_95[0]) / 2);
}

/** Of the estimate before, where geometry made it too; a person's word counts as exact. */
const measuredHalfWidth = (point: ZonePoint | undefined): number =>
  point === undefined || isByImages(point) ? 0 : halfWidth(point);
