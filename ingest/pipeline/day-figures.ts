import type { DayTotals } from "./asset-state.ts";
import type { Coverage, FigureParts } from "./day-usage.ts";
import { OUTLIER_SPEED_KMH } from "./work.ts";

/** Where most of a figure's time comes from; `none`: nothing is known. */
export const BASES = ["observed", "meter", "bridged", "none"] as const;
export type Basis = (typeof BASES)[number];

/** One figure of a day with what stands behind it; seconds or metres. */
export interface DayFigure {
  /** `null`: nothing is known; `reason` says why. */
  readonly value: number | null;
  /** `null` where the bounds were not kept. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly basis: Basis;
  /** Share of the period in which readings came at most 5 min apart and said what the figure needs, 0 to 1. */
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
  readonly value: number;
  readonly parts: FigureParts;
  readonly cover: Coverage;
  /** Most that it can be. */
  readonly most: number;
  /** Most that can come to it in time that is not accounted for. */
  readonly unaccounted: number;
}

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
  // Work is no longer than the engine ran; of a machine that says neither speed nor load it is that long.
  const isPlain = usage.plain.ms >= covered(workCover) && knowsMs(engineCover) > 0;
  const confine = (own: FigureParts, other: FigureParts): FigureParts => ({
    ...own,
    lower: isPlain ? Math.max(own.lower, engine.lower - other.upper) : own.lower,
    upper: knowsMs(engineCover) > 0 ? Math.min(own.upper, engine.upper) : own.upper,
  });
  return {
    working: figureOf(
      {
        ...{ value: workingS, parts: confine(work, overtime), cover: workCover },
        ...{ most: shiftS, unaccounted: workMissingS },
      },
      ms,
      "neither engine, speed nor movement was reported",
    ),
    overtime: figureOf(
      {
        ...{ value: overtimeS, parts: confine(overtime, work), cover: workCover },
        ...{ most: periodS - shiftS, unaccounted: workMissingS },
      },
      ms,
      "neither engine, speed nor movement was reported",
    ),
    engine_on: figureOf(
      {
        ...{ value: engineOnS, parts: engine, cover: engineCover },
        ...{ most: periodS, unaccounted: engineMissingS },
      },
      ms,
      "no reading said whether the engine ran, and there is no hour meter",
    ),
    distance: figureOf(
      {
        ...{ value: distanceM, parts: distance, cover: distanceCover },
        most: ms * METERS_PER_MS,
        unaccounted: missingMs(distanceCover, ms) * METERS_PER_MS,
      },
      ms,
      "no position and no odometer was reported",
    ),
  };
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
  const isKnown = knowsMs(cover) > 0;
  const upper = Math.min(most, parts.upper + unaccounted);
  if (!isKnown) {
    return {
      ...{ value: null, lower: 0, upper: Math.ceil(upper), basis: "none", seen, reason },
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

const knowsMs = ({ seenMs, meterMs, bridgedMs }: Coverage): number => seenMs + meterMs + bridgedMs;
const covered = (cover: Coverage): number => knowsMs(cover) + cover.unknownMs;
const missingMs = (cover: Coverage, periodMs: number): number =>
  Math.max(0, periodMs - covered(cover));

const inSeconds = (parts: FigureParts): FigureParts => scaled(parts, 1_000);

function scaled({ meter, bridged, lower, upper }: FigureParts, by: number): FigureParts {
  return { meter: meter / by, bridged: bridged / by, lower: lower / by, upper: upper / by };
}
