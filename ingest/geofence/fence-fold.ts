import type { GeofenceId } from "../../domain/ids.ts";
import type { FenceFix } from "./crossing.ts";
import type { FenceEra } from "./fence-eras.ts";
import type { SafeDisc } from "./safe-disc.ts";
import type { Stay } from "./stay.ts";

/** Fixes on the other side of one fence's edge that have not become a crossing yet. */
export interface PendingRun {
  readonly geofenceId: GeofenceId;
  /** The first one; a crossing is dated by it. */
  readonly first: FenceFix;
  /** How many lie beyond the edge by more than their accuracy. */
  count: number;
  /** Fix time of the newest of them, ms. */
  lastMs: number;
}

/** The path of an asset into a fence, not reported as a visit yet. */
export interface OpenPath {
  readonly geofenceId: GeofenceId;
  /** The last fix outside, and every one inside since. */
  readonly knots: readonly FenceFix[];
}

/**
 * What is remembered of one asset to evaluate its next fix. Changed in place by `advanceFences`; a
 * copy restarts the fold from where it was made.
 */
export interface FenceFold {
  /** Everything up to here was dealt with: newest fix, or newest change of fences after it, ms. */
  clockMs: number;
  /** The newest fix that was believed. */
  last: FenceFix | undefined;
  /** A fix too far away to be believed, until the next one agrees with it or not. */
  suspect: FenceFix | undefined;
  stay: Stay | undefined;
  /** Fences that the asset is in, in order of entering. */
  held: readonly GeofenceId[];
  runs: readonly PendingRun[];
  openPaths: readonly OpenPath[];
  /** Fix time of the last crossing reported, ms; a stay reports nothing earlier. */
  reportedMs: number;
  /**
   * How far the asset may go before a fence has to be evaluated; can be recomputed any time, never
   * stored.
   */
  safe: SafeDisc | undefined;
  /** Until when, ms, the asset's fences do not change, as known in an era of the timeline; never stored. */
  quiet: { readonly era: FenceEra; readonly untilMs: number } | undefined;
}

export function newFenceFold(): FenceFold {
  return {
    clockMs: Number.NEGATIVE_INFINITY,
    last: undefined,
    suspect: undefined,
    stay: undefined,
    held: [],
    runs: [],
    openPaths: [],
    reportedMs: Number.NEGATIVE_INFINITY,
    safe: undefined,
    quiet: undefined,
  };
}

/** A copy that shares nothing changeable with the original. */
export function copyFenceFold(fold: FenceFold): FenceFold {
  return {
    ...fold,
    stay: fold.stay && { ...fold.stay },
    runs: fold.runs.map((run) => ({ ...run })),
  };
}

/** The fences that the asset is in. */
export function fencesHeld(fold: FenceFold): readonly GeofenceId[] {
  return fold.held;
}

type PackedFix = readonly [tMs: number, lonDeg: number, latDeg: number, accuracyM: number];

type PackedStay = readonly [
  startMs: number,
  /** `null`: the fold's own last fix, as nearly always. */
  last: PackedFix | null,
  meanLonDeg: number,
  meanLatDeg: number,
  creditMs: number,
  noiseM2: number,
  away: PackedFix | null,
  cameFromElsewhere: 0 | 1,
  // What was stored before 2026-11-24 ends here.
  isNoiseLearned?: 0 | 1,
  origin?: readonly [lonDeg: number, latDeg: number] | null,
];

/** JSON form of a fold. */
export type PackedFenceFold = readonly [
  clockMs: number | null,
  last: PackedFix | null,
  suspect: PackedFix | null,
  stay: PackedStay | null,
  held: readonly GeofenceId[],
  runs: readonly (readonly [GeofenceId, first: PackedFix, count: number, lastMs: number])[],
  reportedMs: number | null,
  // What was stored before 2026-11-24 ends here.
  openPaths?: readonly (readonly [GeofenceId, readonly PackedFix[]])[],
];

export function packFenceFold(fold: FenceFold): PackedFenceFold {
  const { last, stay } = fold;
  return [
    packTime(fold.clockMs),
    last === undefined ? null : packFix(last),
    fold.suspect === undefined ? null : packFix(fold.suspect),
    stay === undefined ? null : packStay(stay, last),
    fold.held,
    fold.runs.map(({ geofenceId, first, count, lastMs }) => [
      geofenceId,
      packFix(first),
      count,
      lastMs,
    ]),
    packTime(fold.reportedMs),
    fold.openPaths.map(({ geofenceId, knots }) => [geofenceId, knots.map(packFix)]),
  ];
}

export function unpackFenceFold(packed: PackedFenceFold): FenceFold {
  const [clockMs, packedLast, suspect, stay, held, runs, reportedMs, openPaths = []] = packed;
  const last = packedLast === null ? undefined : unpackFix(packedLast);
  return {
    ...newFenceFold(),
    clockMs: clockMs ?? Number.NEGATIVE_INFINITY,
    last,
    suspect: suspect === null ? undefined : unpackFix(suspect),
    stay: stay === null ? undefined : unpackStay(stay, last),
    held,
    runs: runs.map(([geofenceId, first, count, lastMs]) => ({
      geofenceId,
      first: unpackFix(first),
      count,
      lastMs,
    })),
    openPaths: openPaths.map(([geofenceId, knots]) => ({
      geofenceId,
      knots: knots.map(unpackFix),
    })),
    reportedMs: reportedMs ?? Number.NEGATIVE_INFINITY,
  };
}

/** Minus infinity, "never", has no JSON. */
const packTime = (tMs: number): number | null => (Number.isFinite(tMs) ? tMs : null);

const packFix = ({ tMs, lonDeg, latDeg, accuracyM }: FenceFix): PackedFix => [
  tMs,
  lonDeg,
  latDeg,
  accuracyM,
];

const unpackFix = ([tMs, lonDeg, latDeg, accuracyM]: PackedFix): FenceFix => ({
  tMs,
  lonDeg,
  latDeg,
  accuracyM,
});

const packStay = (stay: Stay, newest: FenceFix | undefined): PackedStay => [
  stay.startMs,
  stay.last === newest ? null : packFix(stay.last),
  stay.meanLonDeg,
  stay.meanLatDeg,
  stay.creditMs,
  stay.noiseM2,
  stay.away === undefined ? null : packFix(stay.away),
  stay.cameFromElsewhere ? 1 : 0,
  stay.isNoiseLearned ? 1 : 0,
  stay.origin === undefined ? null : [stay.origin.lonDeg, stay.origin.latDeg],
];

/** `undefined` where a stay has neither a last fix of its own nor the fold's: nothing packs such a stay. */
function unpackStay(packed: PackedStay, newest: FenceFix | undefined): Stay | undefined {
  const [
    startMs,
    packedLast,
    meanLonDeg,
    meanLatDeg,
    creditMs,
    noiseM2,
    away,
    moved,
    learned = 1,
    origin,
  ] = packed;
  const last = packedLast === null ? newest : unpackFix(packedLast);
  if (last === undefined) return undefined;
  return {
    ...{ startMs, last, meanLonDeg, meanLatDeg, creditMs, noiseM2, isNoiseLearned: learned === 1 },
    away: away === null ? undefined : unpackFix(away),
    cameFromElsewhere: moved === 1,
    origin: origin == null ? undefined : { lonDeg: origin[0], latDeg: origin[1] },
  };
}
