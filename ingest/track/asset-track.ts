import type { FaultCode, TimeSource } from "../../domain/equipment/reading.ts";
import type { AlertId, AssetId, ProjectId } from "../../domain/ids.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { Visit } from "../../storage/ports/equipment/visits.ts";
import { copyFenceFold, type FenceFold, newFenceFold } from "../geofence/fence-fold.ts";
import { type LivenessState, newLivenessState } from "../liveness/liveness-state.ts";
import { copyLimitFold, type LimitFold, newLimitFold } from "../maintenance/limit-fold.ts";
import { type MaintenanceState, newMaintenanceState } from "../maintenance/maintenance-state.ts";
import type { Ahead } from "./ahead.ts";
import { type DayUsage, newDayUsage } from "./day-usage.ts";
import type { Exceedance } from "./exceedance.ts";
import type { Identity } from "./identities.ts";
import type { TimelineSample } from "./timeline-sample.ts";
import { newUsageState, type UsageState } from "./usage-state.ts";
import { newWorkState, type WorkState } from "./work.ts";

/** Order of two readings: fix time, then `seq`, then payload hash (docs/rules.md#clocks). */
export interface Rank {
  readonly fixTimeMs: number;
  readonly seq: number;
  readonly payloadHash: number;
}

/** Whether `a` comes after `b`; false for the same reading delivered twice. */
export function outranks(a: Rank, b: Rank): boolean {
  if (a.fixTimeMs !== b.fixTimeMs) return a.fixTimeMs > b.fixTimeMs;
  if (a.seq !== b.seq) return a.seq > b.seq;
  return a.payloadHash > b.payloadHash;
}

/** The newest value of one field with the rank of the reading it came in; overwritten by the next. */
export interface Cell {
  value: number;
  fixTimeMs: number;
  seq: number;
  payloadHash: number;
}

/** The state of the fold over an asset's readings in order of fix time; a late reading restarts from a copy. */
export interface TimelineState {
  work: WorkState;
  usage: UsageState;
  fences: FenceFold;
  limits: LimitFold;
  /** Place of the asset's next visit, or next value beyond a limit, in the order of both. */
  nextOrdinal: number;
}

export function newTimeline(): TimelineState {
  return {
    work: newWorkState(),
    usage: newUsageState(),
    fences: newFenceFold(),
    limits: newLimitFold(),
    nextOrdinal: 0,
  };
}

/** The members of the time line alone: what a re-run hands over. A new member fails to compile until it is here. */
export const timelineOf = ({
  work,
  usage,
  fences,
  limits,
  nextOrdinal,
}: TimelineState): TimelineState => ({ work, usage, fences, limits, nextOrdinal });

export function copyTimeline(state: TimelineState): TimelineState {
  const { work, usage, fences, limits, nextOrdinal } = state;
  return {
    work: { ...work },
    usage: { ...usage },
    fences: copyFenceFold(fences),
    limits: copyLimitFold(limits),
    nextOrdinal,
  };
}

/** Everything up to here is in the state, ms. */
export const clockOf = ({ work, fences, limits }: TimelineState): number =>
  Math.max(work.tMs, fences.clockMs, limits.clockMs);

/** The ordinal of what begins now. */
export function takeOrdinal(state: TimelineState): number {
  const ordinal = state.nextOrdinal;
  state.nextOrdinal += 1;
  return ordinal;
}

/** The fold as it was between two samples; kept in memory only, to make re-runs short. */
export interface Snapshot {
  /** Fix time of the newest sample in it, ms since the Unix epoch. */
  readonly tMs: number;
  /** Everything up to here is in it, ms since the Unix epoch. */
  readonly clockMs: number;
  /** Later samples change nothing before this time, ms since the Unix epoch. */
  readonly settledSinceMs: number;
  /** Number of its place; thinning keeps those with the most powers of two. */
  readonly place: number;
  /** The day that was begun: what it is and how it started. Its totals by then are in `text`. */
  readonly begun: Pick<OpenDay, "day" | "startMs" | "atStart">;
  /** JSON of the fold and of the day's totals. */
  readonly text: string;
}

/** What comes to a track while its readings are folded again beside it. */
export interface Meanwhile {
  /** The samples that the track went on with, in order. */
  readonly samples: TimelineSample[];
  /** Oldest late fix, or late change of a fence, that has come since; `Infinity` when there is none. */
  lateFromMs: number;
}

/** The visits of one asset that the pipeline holds. */
export interface VisitBook {
  /** By rising ordinal, withdrawn ones left out. */
  list: readonly Visit[];
  /**
   * From this ordinal on `list` is complete. Below, it has at least the newest earlier visit of
   * each fence, which a re-run from there may find open.
   */
  completeFrom: number;
}

/** One local day of work, still open to late readings. */
export interface OpenDay {
  readonly day: string;
  /** Local midnight, ms since the Unix epoch. */
  readonly startMs: number;
  /** The fold as it was before the day's first sample; a late fix restarts from here. */
  readonly atStart: TimelineState;
  /**
   * Fix time, ms, of the sample from which on no sample changes an earlier day: a re-run for a late reading
   * after it can start here. `Infinity`: a silence or a meter still reaches back before the day.
   */
  settledMs: number;
  /** Work inside the shift; like the other figures with what meters say and estimates give. */
  workingMs: number;
  overtimeMs: number;
  engineOnMs: number;
  distanceM: number;
  /** How the figures came about. */
  readonly usage: DayUsage;
}

/** A day without any work yet. */
export function beginDay(begun: Pick<OpenDay, "day" | "startMs" | "atStart">): OpenDay {
  return {
    ...begun,
    settledMs: Number.POSITIVE_INFINITY,
    ...{ workingMs: 0, overtimeMs: 0, engineOnMs: 0, distanceM: 0 },
    usage: newDayUsage(),
  };
}

/**
 * The open day that time from `startMs` on is credited to, `day` being its local date. Where the calendar has
 * changed, it is a newer day that was opened earlier: later time never changes a day before that one.
 */
export const openDayOf = (
  { days }: Pick<AssetTrack, "days">,
  day: string,
  startMs: number,
): OpenDay | undefined =>
  days.findLast((open) => open.day === day || (open.day > day && open.startMs <= startMs));

/** Span of fix time within which a late fix is put in its place, ms (docs/rules.md#late-fixes). */
export const LATE_SPAN_MS = 72 * HOUR_MS;

/**
 * Everything the pipeline keeps of one asset. Changed in place by the stages, which run once per
 * reading; the API sees copies (`AssetState`).
 */
export interface AssetTrack extends TimelineState {
  readonly assetId: AssetId;
  projectId: ProjectId;
  readonly latest: Map<string, Cell>;
  /** How the newest position came to its time; `undefined` before the first. */
  fixOrigin: { readonly timeSource: TimeSource; readonly receivedAtMs: number } | undefined;
  lastReceivedAtMs: number;
  lastUpdateMs: number;
  readonly liveness: LivenessState;
  readonly maintenance: MaintenanceState;
  faults: readonly FaultCode[];
  faultsRank: Rank;
  /** What the device names in text: its vehicle, who drives, what is around. */
  readonly identities: Map<string, Identity>;
  /** Critical alerts that are not resolved. */
  readonly criticalAlerts: Set<AlertId>;
  /** Rank of the newest live reading that was folded into `work`. */
  workRank: Rank;
  /** Fix time of the reading that was taken in last, in order of arrival; `undefined`: none yet. */
  lastTakenMs: number | undefined;
  /**
   * Fix times of the last readings that other partitions, or earlier runs of this one, had taken in. Where the
   * telemetry store has such a one, it has all that was received before it. Until a re-run has found
   * them, readings that events were published from may be missing there.
   */
  unseenMs: readonly number[];
  /** Ascending by day: those that late readings may still change, and the one before if they restart there. */
  days: OpenDay[];
  /** Engine-on time of days that are closed, ms. */
  engineOnBeforeMs: number;
  /** Distance of days that are closed, metres. */
  distanceBeforeM: number;
  /** Whether any time of closed days was known of the engine, and any of the distance. */
  knewEngineBefore: boolean;
  knewDistanceBefore: boolean;
  /** Whether days older than `days` were closed; no re-run begins before `days`. */
  hasClosedDays: boolean;
  /** Historical readings newer than all live ones; `undefined`: none. */
  ahead: Ahead | undefined;
  /** Oldest late fix that the fold has not seen in its place; `Infinity` when there is none. */
  lateFromMs: number;
  /** While a re-run is under way; not stored: the track stays late until the re-run ends. */
  meanwhile: Meanwhile | undefined;
  /** Ascending by time, at most a few; not stored. */
  snapshots: Snapshot[];
  /** Fix time up to which the last re-run folded, ms; `-Infinity`: none since the start. Not stored. */
  rerunAtMs: number;
  /** Stored as rows of their own. */
  readonly visits: VisitBook;
  /** Values beyond a limit that a re-run may still change, or that are not over; by rising ordinal. */
  exceedances: readonly Exceedance[];
  /** Days that were closed with totals that are not stored yet; not stored itself. */
  closedDays: OpenDay[];
  /** Days whose totals changed since they were last stored; not stored itself. */
  readonly changedDays: Set<string>;
}

const NO_RANK: Rank = { fixTimeMs: 0, seq: -1, payloadHash: -1 };

export function newAssetTrack(assetId: AssetId, projectId: ProjectId): AssetTrack {
  return {
    assetId,
    projectId,
    latest: new Map(),
    fixOrigin: undefined,
    lastReceivedAtMs: 0,
    lastUpdateMs: 0,
    liveness: newLivenessState(),
    maintenance: newMaintenanceState(),
    faults: [],
    faultsRank: NO_RANK,
    identities: new Map(),
    criticalAlerts: new Set(),
    ...newTimeline(),
    workRank: NO_RANK,
    lastTakenMs: undefined,
    unseenMs: [],
    days: [],
    engineOnBeforeMs: 0,
    distanceBeforeM: 0,
    ...{ knewEngineBefore: false, knewDistanceBefore: false },
    hasClosedDays: false,
    ahead: undefined,
    lateFromMs: Number.POSITIVE_INFINITY,
    meanwhile: undefined,
    snapshots: [],
    rerunAtMs: Number.NEGATIVE_INFINITY,
    visits: { list: [], completeFrom: 0 },
    exceedances: [],
    closedDays: [],
    changedDays: new Set(),
  };
}
