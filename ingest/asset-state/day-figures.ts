import { type Coverage, type FigureParts, knownMs } from "../track/day-usage.ts";
import { OUTLIER_SPEED_KMH } from "../track/work.ts";
import type { DayTotals } from "./asset-state.ts";

/** Where most of a figure's time comes from; `none`: nothing is known. */
export const BASES = ["observed", "meter", "bridged", "none"] as const;
export type Basis = (typeof BASES)[number];

/** One figure of a day with what it is based on; seconds or metres. */
export interface DayFigure {
  /** `null`: nothing is known; `reason` says why. */
  readonly value: number | null;
  /** `null` where the bounds were not kept. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly basis: Basis;
  /**
   * Share of the period in which readings came at most 5 min apart and had the values the figure needs, 0 to
   * 1.
   */
  readonly seen: number | null;
  /** How much of the value comes from where. */
  readonly parts: { readonly observed: number; readonly meter: number; readonly bridged: number };
  readonly reason?: string;
}

export interface DayFigures {
  /** Work inside the shift. */
  readonly working: DayFigure;
  readonly overtime: DayFigure;
  readonly engine_on: DayFigure;
  readonly distance: DayFigure;
}

/** The period that figures are given for: a whole local day, or today so far. */
export interface FigurePeriod {
  readonly ms: number;
  /** Of it inside the shift. */
  readonly shiftMs: number;
}

/** A figure and its bounds as they are stored, in one unit. */
interface Raw {
  /** `undefined`: not known, although something was reported. */
  readonly value: number | undefined;
  readonly parts: FigureParts;
  readonly cover: Coverage;
  /** Most that it can be. */
  readonly most: number;
  /** Most that can come to it in time that is not accounted for. */
  readonly unaccounted: number;
}

/**
 * Engine time between readings, seconds, from which on a machine that was stationary in each of them has no
 * working time of 0. Less: moving the arm once is work unknown; more: an hour of digging is hidden.
 */
const CONTRADICTED_S = 300;
const METERS_PER_MS = OUTLIER_SPEED_KMH / 3_600;

/** What is known of a day. Time before the first and after the last reading may hold anything. */
export function dayFigures(totals: DayTotals, { ms, shiftMs }: FigurePeriod): DayFigures {
  const { usage, workingS, overtimeS, engineOnS, distanceM } = totals;
  if (usage === undefined) {
    return {
      working: unexplained(workingS),
      overtime: unexplained(overtimeS),
      engine_on: unexplained(engineOnS),
      distance: unexplained(distanceM),
    };
  }
  const { engineCover, workCover, distanceCover } = usage;
  const [engine, work, overtime, distance] = [
    inSeconds(usage.engine),
    inSeconds(usage.work),
    inSeconds(usage.overtime),
    scaled(usage.distance, 100),
  ];
  const [periodS, shiftS] = [ms / 1_000, Math.min(ms, shiftMs) / 1_000];
  const engineMissingS = missingMs(engineCover, ms) / 1_000;
  const workMissingS = missingMs(workCover, ms) / 1_000;
  // Work is no longer than the engine ran; for a machine that sends neither speed nor load it is that
  // long.
  const isPlain = usage.plain.ms >= covered(workCover) && knownMs(engineCover) > 0;
  const confine = (own: FigureParts, other: FigureParts): FigureParts => ({
    ...own,
    lower: isPlain ? Math.max(own.lower, engine.lower - other.upper) : own.lower,
    upper: knownMs(engineCover) > 0 ? Math.min(own.upper, engine.upper) : own.upper,
  });
  // It was stationary in every reading while its engine ran between them: how much of that was work is
  // unknown.
  const unseenS = Math.min(
    engine.meter + engine.bridged,
    (workCover.bridgedMs + workCover.unknownMs) / 1_000,
  );
  const isContradicted = workingS + overtimeS === 0 && unseenS > CONTRADICTED_S;
  const workReason = isContradicted
    ? `it did not work in any reading, but its engine ran for ${Math.round(unseenS / 60)} min between them`
    : reasonOf(usage.said.work, "whether it worked");
  return {
    working: figureOf(
      {
        value: isContradicted ? undefined : workingS,
        ...{ parts: confine(work, overtime), cover: workCover },
        ...{ most: shiftS, unaccounted: workMissingS },
      },
      ms,
      workReason,
    ),
    overtime: figureOf(
      {
        value: isContradicted ? undefined : overtimeS,
        ...{ parts: confine(overtime, work), cover: workCover },
        ...{ most: periodS - shiftS, unaccounted: workMissingS },
      },
      ms,
      workReason,
    ),
    engine_on: figureOf(
      {
        ...{ value: engineOnS, parts: engine, cover: engineCover },
        ...{ most: periodS, unaccounted: engineMissingS },
      },
      ms,
      reasonOf(usage.said.engine, "whether the engine ran"),
    ),
    distance: figureOf(
      {
        ...{ value: distanceM, parts: distance, cover: distanceCover },
        most: ms * METERS_PER_MS,
        unaccounted: missingMs(distanceCover, ms) * METERS_PER_MS,
      },
      ms,
      reasonOf(usage.said.distance, "where it was, or how far it had come"),
    ),
  };
}

/** Why nothing is known of what `readings` readings of the day said. */
function reasonOf(readings: number, what: string): string {
  if (readings < 0) return "what was reported does not cover any time of the day";
  if (readings === 0) return `no reading of the day said ${what}`;
  if (readings === 1) return `only one reading of the day said ${what}`;
  return `the readings that said ${what} are too far apart (engine and speed: 150 min; meters and positions: 7 days)`;
}

/** Of a day that was stored by a program that kept no bounds. */
const unexplained = (value: number): DayFigure => ({
  ...{ value, lower: null, upper: null, basis: "observed", seen: null },
  parts: { observed: value, meter: 0, bridged: 0 },
  reason: "stored by a version that kept no bounds",
});

function figureOf(raw: Raw, periodMs: number, reason: string): DayFigure {
  const { value, parts, cover, most, unaccounted } = raw;
  const seen = shareOf(cover.seenMs, periodMs);
  const isKnown = knownMs(cover) > 0;
  const upper = Math.min(most, parts.upper + unaccounted);
  if (!isKnown || value === undefined) {
    const lower = Math.max(0, Math.floor(parts.lower));
    return {
      ...{ value: null, lower, upper: Math.max(lower, Math.ceil(upper)) },
      ...{ basis: "none", seen, reason },
      parts: { observed: 0, meter: 0, bridged: 0 },
    };
  }
  const [meter, bridged] = [Math.round(parts.meter), Math.round(parts.bridged)];
  return {
    value,
    // Rounding must not move a value out of its bounds.
    lower: Math.max(0, Math.min(value, Math.floor(parts.lower))),
    upper: Math.max(value, Math.ceil(upper)),
    basis: basisOf(cover),
    seen,
    parts: { observed: value - meter - bridged, meter, bridged },
  };
}

function basisOf({ seenMs, meterMs, bridgedMs }: Coverage): Basis {
  const most = Math.max(seenMs, meterMs, bridgedMs);
  if (most === 0) return "none";
  if (seenMs === most) return "observed";
  return meterMs === most ? "meter" : "bridged";
}

const shareOf = (ms: number, periodMs: number): number =>
  periodMs <= 0 ? 0 : Math.min(1, Math.round((ms / periodMs) * 1_000) / 1_000);

const covered = (cover: Coverage): number => knownMs(cover) + cover.unknownMs;
const missingMs = (cover: Coverage, periodMs: number): number =>
  Math.max(0, periodMs - covered(cover));

const inSeconds = (parts: FigureParts): FigureParts => scaled(parts, 1_000);

function scaled({ meter, bridged, lower, upper }: FigureParts, by: number): FigureParts {
  return { meter: meter / by, bridged: bridged / by, lower: lower / by, upper: upper / by };
}
