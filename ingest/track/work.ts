import { bearingDeg, distanceM } from "../../domain/geodesy.ts";
import { MINUTE_MS, WEEK_MS } from "../../domain/time.ts";

/** Longest silence that is credited, and how long a reported value stays believed, ms (docs/rules.md#working-time). */
export const MAX_GAP_MS = 5 * MINUTE_MS;
/**
 * Longest silence that is bridged, ms. A week keeps a long weekend. More would keep days open to late
 * readings for longer, each with a copy of the fold, and spread one reading of a meter over weeks.
 */
export const MAX_BRIDGE_MS = WEEK_MS;

/** Above this speed a machine works, km/h (docs/rules.md#working-time). */
const WORKING_SPEED_KMH = 1;
/** Above this engine load a machine works, percent (docs/rules.md#working-time). */
const WORKING_LOAD_PERCENT = 10;
/** Least displacement that counts as movement, metres (docs/rules.md#working-time). */
export const MOVED_M = 10;
/**
 * Age at which the place that displacement is measured from is renewed, ms. Chosen: 10 m in 60 s is
 * 0.6 km/h, so slower drift is never movement, and a stop before a start is over-credited by less.
 */
const ANCHOR_MS = 60_000;
/** Speed that no machine on a site reaches, km/h (docs/rules.md#working-time); a faster jump is an outlier. */
export const OUTLIER_SPEED_KMH = 150;

/** What one reading says about work; `NaN` where it says nothing. */
export interface WorkSample {
  /** Fix time, ms since the Unix epoch. */
  readonly tMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracyM: number;
  readonly speedKmh: number;
  /** 0 or 1. */
  readonly engineOn: number;
  readonly loadPercent: number;
}

/** What the fold over an asset's readings remembers; all times ms, `NaN` for values never reported. */
export interface WorkState {
  /** Fix time of the newest sample; 0 before the first. */
  tMs: number;
  engineOn: number;
  engineAtMs: number;
  speedKmh: number;
  speedAtMs: number;
  loadPercent: number;
  loadAtMs: number;
  /** Where movement is measured from. */
  anchorLatitude: number;
  anchorLongitude: number;
  anchorAtMs: number;
  /** Time up to which working seconds were credited: nothing is credited twice. */
  creditedToMs: number;
  /** Newest sign of work; 0 for none. */
  workedAtMs: number;
  /** The older of the two fixes that a missing speed and heading are taken from. */
  courseLatitude: number;
  courseLongitude: number;
  courseAtMs: number;
  /** km/h and degrees; `NaN` until the fixes show them. */
  derivedSpeedKmh: number;
  derivedHeading: number;
}

/** Where the fold reports what happened; intervals are half-open, ms. */
export interface WorkSink {
  working(fromMs: number, toMs: number): void;
  engineOn(fromMs: number, toMs: number): void;
  travelled(atMs: number, meters: number): void;
}

export function newWorkState(): WorkState {
  return {
    tMs: 0,
    engineOn: Number.NaN,
    engineAtMs: 0,
    speedKmh: Number.NaN,
    speedAtMs: 0,
    loadPercent: Number.NaN,
    loadAtMs: 0,
    anchorLatitude: Number.NaN,
    anchorLongitude: Number.NaN,
    anchorAtMs: 0,
    creditedToMs: 0,
    workedAtMs: 0,
    courseLatitude: Number.NaN,
    courseLongitude: Number.NaN,
    courseAtMs: 0,
    derivedSpeedKmh: Number.NaN,
    derivedHeading: Number.NaN,
  };
}

/**
 * Folds the next sample, in strictly ascending fix time, into `state` (changed in place: this runs
 * once per reading). The result depends on the sorted samples only, so a re-run from an earlier copy
 * of the state over the same samples ends equal.
 */
export function advanceWork(state: WorkState, sample: WorkSample, sink: WorkSink): void {
  const fromMs = state.tMs;
  const gapMs = sample.tMs - fromMs;
  if (fromMs > 0 && gapMs <= MAX_GAP_MS) {
    // A value holds until the next reading: sample and hold, unbiased over many readings.
    if (isFresh(state.engineAtMs, fromMs) && state.engineOn === 1) {
      sink.engineOn(fromMs, sample.tMs);
    }
    if (worksByReport(state, fromMs)) credit(state, sink, fromMs, sample.tMs);
  }
  state.tMs = sample.tMs;
  if (!Number.isNaN(sample.engineOn)) {
    state.engineOn = sample.engineOn;
    state.engineAtMs = sample.tMs;
  }
  if (!Number.isNaN(sample.speedKmh)) {
    state.speedKmh = sample.speedKmh;
    state.speedAtMs = sample.tMs;
  }
  if (!Number.isNaN(sample.loadPercent)) {
    state.loadPercent = sample.loadPercent;
    state.loadAtMs = sample.tMs;
  }
  if (worksByReport(state, sample.tMs)) state.workedAtMs = sample.tMs;
  if (!Number.isNaN(sample.latitude)) advancePosition(state, sample, sink);
}

/** Whether what was reported last, and within 5 min, says that the machine works at `atMs`. */
function worksByReport(state: WorkState, atMs: number): boolean {
  const speedKnown = isFresh(state.speedAtMs, atMs);
  const moves = speedKnown && state.speedKmh > WORKING_SPEED_KMH;
  if (!isFresh(state.engineAtMs, atMs)) return moves;
  if (state.engineOn !== 1) return false;
  const loadKnown = isFresh(state.loadAtMs, atMs);
  if (!speedKnown && !loadKnown) return true;
  return moves || (loadKnown && state.loadPercent > WORKING_LOAD_PERCENT);
}

/** What the machine reported within the 5 min up to a time. */
export interface Reported {
  /** 0, 1, or `NaN` where it said nothing. */
  readonly engineOn: number;
  /** Whether it worked: 0, 1, or `NaN` where it said neither engine nor speed. */
  readonly works: number;
  /** Whether it said anything of speed or load. */
  readonly hasActivity: boolean;
  /** When it said so of its engine; `NaN` where it did not. */
  readonly engineAtMs: number;
  /** Time of the oldest value that decides whether it worked; `NaN` where it said nothing. */
  readonly worksAtMs: number;
}

export function reportedAt(state: WorkState, atMs: number): Reported {
  const { engineAtMs, speedAtMs, loadAtMs } = state;
  const engineKnown = isFresh(engineAtMs, atMs);
  const speedKnown = isFresh(speedAtMs, atMs);
  const loadKnown = isFresh(loadAtMs, atMs);
  const worksKnown = engineKnown || speedKnown;
  // An engine that is off says it alone.
  const asksActivity = !engineKnown || state.engineOn === 1;
  return {
    engineOn: engineKnown ? state.engineOn : Number.NaN,
    works: worksKnown ? Number(worksByReport(state, atMs)) : Number.NaN,
    hasActivity: speedKnown || loadKnown,
    engineAtMs: engineKnown ? engineAtMs : Number.NaN,
    worksAtMs: worksKnown
      ? Math.min(
          engineKnown ? engineAtMs : atMs,
          asksActivity && speedKnown ? speedAtMs : atMs,
          asksActivity && loadKnown ? loadAtMs : atMs,
        )
      : Number.NaN,
  };
}

/** Since when movement is measured, where that place is still in use at the newest sample; else `NaN`. */
export const movingSinceMs = ({ anchorAtMs, tMs }: WorkState): number =>
  isFresh(anchorAtMs, tMs) ? anchorAtMs : Number.NaN;

const isFresh = (reportedAtMs: number, atMs: number): boolean =>
  reportedAtMs > 0 && atMs - reportedAtMs <= MAX_GAP_MS;

function advancePosition(state: WorkState, sample: WorkSample, sink: WorkSink): void {
  advanceCourse(state, sample);
  const anchorAgeMs = sample.tMs - state.anchorAtMs;
  if (state.anchorAtMs === 0 || anchorAgeMs > MAX_GAP_MS) {
    setAnchor(state, sample);
    return;
  }
  const anchor = { latitude: state.anchorLatitude, longitude: state.anchorLongitude };
  const meters = distanceM(anchor, sample);
  const isOutlier = speedKmh(meters, anchorAgeMs) > OUTLIER_SPEED_KMH;
  if (meters > Math.max(MOVED_M, 2 * sample.accuracyM) && !isOutlier) {
    sink.travelled(sample.tMs, meters);
    if (!isFresh(state.engineAtMs, sample.tMs)) {
      credit(state, sink, state.anchorAtMs, sample.tMs);
      state.workedAtMs = sample.tMs;
    }
    setAnchor(state, sample);
  } else if (anchorAgeMs >= ANCHOR_MS) {
    // Also how an outlier ends: whatever is reported for a minute is believed.
    setAnchor(state, sample);
  }
}

/** Keeps speed and heading for devices that report none: the last two fixes > 2 x accuracy apart. */
function advanceCourse(state: WorkState, sample: WorkSample): void {
  if (state.courseAtMs > 0) {
    const from = { latitude: state.courseLatitude, longitude: state.courseLongitude };
    const meters = distanceM(from, sample);
    const ageMs = sample.tMs - state.courseAtMs;
    if (meters <= 2 * sample.accuracyM) {
      // It has not left the spot for a minute: it is stationary, whatever it did before.
      if (ageMs > ANCHOR_MS) state.derivedSpeedKmh = 0;
      return;
    }
    const speed = speedKmh(meters, ageMs);
    if (speed <= OUTLIER_SPEED_KMH) {
      state.derivedSpeedKmh = speed;
      state.derivedHeading = bearingDeg(from, sample);
    }
  }
  state.courseLatitude = sample.latitude;
  state.courseLongitude = sample.longitude;
  state.courseAtMs = sample.tMs;
}

function setAnchor(state: WorkState, sample: WorkSample): void {
  state.anchorLatitude = sample.latitude;
  state.anchorLongitude = sample.longitude;
  state.anchorAtMs = sample.tMs;
}

/** Notes that work up to `toMs` is credited otherwise, so that movement observed later is not counted as well. */
export function noteCredited(state: WorkState, toMs: number): void {
  state.creditedToMs = Math.max(state.creditedToMs, toMs);
}

function credit(state: WorkState, sink: WorkSink, fromMs: number, toMs: number): void {
  const start = Math.max(fromMs, state.creditedToMs);
  if (start >= toMs) return;
  sink.working(start, toMs);
  state.creditedToMs = toMs;
}

const speedKmh = (meters: number, ms: number): number => (meters / ms) * 3600;
