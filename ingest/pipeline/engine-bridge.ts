import { distanceM } from "../../domain/geodesy.ts";
import type { WorkCalendar } from "../../domain/local-time.ts";
import type { AssetTrack } from "./asset-track.ts";
import { cover, type DayPart, dayParts, type Kind, shareOf } from "./bridged-time.ts";
import { NOISE_ACCURACIES } from "./distance-bridge.ts";
import {
  addToLedger,
  HOURS,
  type LedgerChange,
  newLedger,
  readLedger,
  unlessOld,
} from "./meter-ledger.ts";
import type { Observed, UsageSample } from "./usage-sample.ts";
import { addPendingWork, noPendingWork, type PendingWork } from "./usage-state.ts";
import {
  MAX_BRIDGE_MS,
  MAX_GAP_MS,
  MOVED_M,
  OUTLIER_SPEED_KMH,
  type Reported,
  reportedAt,
  WORKING_SPEED_KMH,
} from "./work.ts";

/**
 * Longest silence over which the states at its two ends say anything of the time between, ms: an hourly
 * reporter may lose one message. A longer one is an outage, in which hours would grow that nobody worked
 * (traccar #5430); a shorter limit would leave hourly machines without a figure.
 */
const STATE_BRIDGE_MS = 150 * 60_000;

/**
 * A silence this many times as long as the gap before it began with the machine. Fewer would take a lost message
 * for sleep; more would credit half of the breaks of a device that sleeps in them.
 */
const SLEEP_GAPS = 4;

/** A figure of one interval, whole ms. */
interface TimeFigure {
  readonly kind: Kind;
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
}

/** Engine time and work of one interval. */
interface TimeFigures {
  readonly engine: TimeFigure;
  readonly work: TimeFigure;
  /** Whether the work of seen time comes from reports, and not from movement. */
  readonly isReported: boolean;
  /** Neither speed nor load was said: the machine works as long as its engine runs. */
  readonly isPlain: boolean;
}

/** Accounts for engine time and work up to a sample, then compares them with the hour meter. */
export function bridgeEngine(
  track: AssetTrack,
  sample: UsageSample,
  observed: Observed,
  calendar: WorkCalendar,
): void {
  const { usage } = track;
  const fromMs = usage.engineToMs;
  usage.hours = unlessOld(usage.hours, sample.tMs);
  if (Number.isNaN(fromMs) || sample.tMs - fromMs > MAX_BRIDGE_MS) {
    usage.hours = undefined;
    usage.pendingWork = [];
    usage.waitingSinceMs = Number.NaN;
  } else if (waitsForEngine(track, sample, observed)) {
    if (Number.isNaN(usage.waitingSinceMs)) usage.waitingSinceMs = sample.tMs;
    return;
  } else {
    account(track, sample, observed, calendar);
  }
  usage.lastGapMs = sample.tMs - fromMs;
  usage.engineToMs = sample.tMs;
  usage.waitingSinceMs = Number.NaN;
  readHours(track, sample);
}

/**
 * Whether a silence is left open for the next reading: sections of one ISO 15143-3 snapshot have times of
 * their own, and the first of them may say nothing of the engine.
 */
function waitsForEngine(
  { usage }: AssetTrack,
  { tMs, engineOn, speedKmh, loadPercent, engineHours }: UsageSample,
  { before }: Observed,
): boolean {
  const saysNothing = [engineOn, speedKmh, loadPercent, engineHours].every(Number.isNaN);
  if (!saysNothing || tMs - usage.engineToMs <= MAX_GAP_MS) return false;
  const wasKnown = !Number.isNaN(before.works) || usage.hours !== undefined;
  if (Number.isNaN(usage.waitingSinceMs)) return wasKnown;
  return tMs - usage.waitingSinceMs <= MAX_GAP_MS;
}

function account(
  track: AssetTrack,
  sample: UsageSample,
  observed: Observed,
  calendar: WorkCalendar,
): void {
  const { usage } = track;
  const fromMs = usage.engineToMs;
  const figures = figuresOf(track, sample, observed);
  const { engine, work, isPlain } = figures;
  const gapMs = sample.tMs - fromMs;
  for (const part of dayParts(track, calendar, fromMs, sample.tMs)) {
    const ofEngine = shareOf(engine, part.ms, gapMs, 1);
    const ofShift = shareOf(work, part.shiftMs, gapMs, 1);
    const ofOvertime = shareOf(work, part.ms - part.shiftMs, gapMs, 1);
    if (part.day !== undefined) {
      const { usage: day } = part.day;
      cover(day.engineCover, engine.kind, part.ms);
      cover(day.workCover, work.kind, part.ms);
      if (isPlain) day.plain.ms += part.ms;
      addBounds(day.engine, ofEngine);
      addBounds(day.work, ofShift);
      addBounds(day.overtime, ofOvertime);
      if (engine.kind !== "seen") {
        part.day.engineOnMs += ofEngine.estimate;
        day.engine.bridged += ofEngine.estimate;
      }
      if (work.kind !== "seen") {
        part.day.workingMs += ofShift.estimate;
        part.day.overtimeMs += ofOvertime.estimate;
        day.work.bridged += ofShift.estimate;
        day.overtime.bridged += ofOvertime.estimate;
      }
    }
    if (usage.hours === undefined) continue;
    const isSeen = engine.kind === "seen";
    usage.hours = addToLedger(usage.hours, {
      dayStartMs: part.dayStartMs,
      ...ofEngine,
      pendingMs: isSeen ? 0 : part.ms,
      pendingBridgedMs: engine.kind === "bridged" ? part.ms : 0,
      pendingUnknownMs: engine.kind === "unknown" ? part.ms : 0,
      pending: isSeen ? 0 : ofEngine.estimate,
    });
    const pending = isSeen
      ? undefined
      : pendingOf(part, figures, ofShift.estimate, ofOvertime.estimate);
    if (pending !== undefined) usage.pendingWork = addPendingWork(usage.pendingWork, pending);
  }
}

function addBounds(
  to: { lower: number; upper: number },
  { lower, upper }: { readonly lower: number; readonly upper: number },
): void {
  to.lower += lower;
  to.upper += upper;
}

/** What the hour meter may change of the work of this part; `undefined`: nothing, it was reported. */
function pendingOf(
  { dayStartMs, ms, shiftMs }: DayPart,
  { work, isReported, isPlain }: TimeFigures,
  shiftWorkMs: number,
  overWorkMs: number,
): PendingWork | undefined {
  const isSeen = work.kind === "seen";
  if (isSeen && isReported) return undefined;
  return {
    dayStartMs,
    shiftMs,
    overMs: ms - shiftMs,
    plainMs: isPlain ? ms : 0,
    bridgedMs: work.kind === "bridged" ? ms : 0,
    unknownMs: work.kind === "unknown" ? ms : 0,
    shiftWorkMs: isSeen ? 0 : shiftWorkMs,
    overWorkMs: isSeen ? 0 : overWorkMs,
    seenWorkMs: isSeen ? shiftWorkMs + overWorkMs : 0,
  };
}

function figuresOf(track: AssetTrack, sample: UsageSample, observed: Observed): TimeFigures {
  const { before } = observed;
  const gapMs = sample.tMs - track.usage.engineToMs;
  const after = reportedAt(track.work, sample.tMs);
  // A device that says nothing while the engine is off, and wakes up with it, was silent because it was off.
  const wasAsleep = before.engineOn === 0 && gapMs > SLEEP_GAPS * track.usage.lastGapMs;
  return {
    engine: engineOf(before.engineOn, sample.engineOn, gapMs, wasAsleep),
    work: workOf(track, sample, observed, after, wasAsleep),
    isReported: !Number.isNaN(before.works),
    isPlain: !before.hasActivity && !after.hasActivity,
  };
}

/**
 * Engine time between two readings. A state holds until the next reading, as the fold credits it; where
 * the two differ, it changed at some time in between. Of a silence both ends are a sample, no bound.
 */
function engineOf(from: number, to: number, gapMs: number, wasAsleep: boolean): TimeFigure {
  if (gapMs <= MAX_GAP_MS) {
    if (Number.isNaN(from)) return { kind: "unknown", estimate: 0, lower: 0, upper: gapMs };
    return held(from, to, gapMs);
  }
  return between(from, to, gapMs, wasAsleep);
}

function held(from: number, to: number, gapMs: number): TimeFigure {
  const estimate = from * gapMs;
  const hasChanged = !Number.isNaN(to) && to !== from;
  return {
    kind: "seen",
    estimate,
    lower: hasChanged ? 0 : estimate,
    upper: hasChanged ? gapMs : estimate,
  };
}

function between(from: number, to: number, gapMs: number, wasAsleep: boolean): TimeFigure {
  const isKnown = !Number.isNaN(from) && !Number.isNaN(to) && gapMs <= STATE_BRIDGE_MS;
  const share = wasAsleep ? 0 : (from + to) / 2;
  return {
    kind: isKnown ? "bridged" : "unknown",
    estimate: isKnown ? Math.round(share * gapMs) : 0,
    lower: 0,
    upper: gapMs,
  };
}

function workOf(
  track: AssetTrack,
  sample: UsageSample,
  { before, workedMs, travelledM, position }: Observed,
  after: Reported,
  wasAsleep: boolean,
): TimeFigure {
  const { usage } = track;
  const gapMs = sample.tMs - usage.engineToMs;
  const isSeen = gapMs <= MAX_GAP_MS;
  if (!Number.isNaN(before.works)) {
    return isSeen
      ? held(before.works, after.works, gapMs)
      : between(before.works, after.works, gapMs, wasAsleep);
  }
  const hasPosition = sample.tMs - position.atMs <= (isSeen ? MAX_GAP_MS : gapMs);
  if (!hasPosition || Number.isNaN(sample.latitude)) {
    // A fix will say: what moved until then is credited at once.
    if (isSeen && hasPosition) return { kind: "seen", estimate: 0, lower: 0, upper: 0 };
    return { kind: "unknown", estimate: 0, lower: 0, upper: gapMs };
  }
  if (!isSeen) return movedOver(position, sample, gapMs);
  // An engine that has a meter may run while the machine does not move.
  const isMetered = usage.hours !== undefined || !Number.isNaN(sample.engineHours);
  const surelyM = Math.max(0, travelledM - NOISE_ACCURACIES * sample.accuracyM);
  const fastest = Math.floor((surelyM / OUTLIER_SPEED_KMH) * 3_600);
  return {
    kind: "seen",
    estimate: workedMs,
    lower: isMetered ? 0 : Math.min(workedMs, fastest),
    upper: isMetered || workedMs > 0 ? Math.max(gapMs, workedMs) : 0,
  };
}

/** Work of a silence from where the machine was before and after: as long as its way takes at working speed. */
function movedOver(from: Observed["position"], sample: UsageSample, gapMs: number): TimeFigure {
  const meters = distanceM(from, sample);
  const noiseM = (NOISE_ACCURACIES / 2) * (from.accuracyM + sample.accuracyM);
  const timeMs = (atKmh: number, m: number) => Math.floor(Math.min(gapMs, (m / atKmh) * 3_600));
  const isMoved = meters > Math.max(MOVED_M, from.accuracyM + sample.accuracyM);
  return {
    kind: "bridged",
    estimate: isMoved ? timeMs(WORKING_SPEED_KMH, meters) : 0,
    lower: timeMs(OUTLIER_SPEED_KMH, Math.max(0, meters - noiseM)),
    upper: gapMs,
  };
}

function readHours(track: AssetTrack, { tMs, engineHours, engineOn }: UsageSample): void {
  const { usage, work } = track;
  if (Number.isNaN(engineHours)) return;
  if (usage.hours === undefined) {
    usage.hours = newLedger(engineHours, tMs);
    usage.pendingWork = [];
    return;
  }
  const { ledger, changes } = readLedger(usage.hours, engineHours, tMs, HOURS);
  usage.hours = ledger;
  const isSettled = ledger.pieces.every((piece) => piece.pendingMs === 0);
  const carried: PendingWork[] = [];
  let pendingMs = 0;
  let ranMs = 0;
  for (const change of changes) {
    const pending = usage.pendingWork.find(({ dayStartMs }) => dayStartMs === change.dayStartMs);
    const excessMs = applyHours(track, change, pending);
    // The meter's next step holds the work that it has not counted yet.
    const isOpen = ledger.pieces.some(({ dayStartMs }) => dayStartMs === change.dayStartMs);
    if (excessMs > 0 && isOpen) {
      carried.push({ ...noPendingWork(change.dayStartMs), seenWorkMs: excessMs });
    }
    pendingMs += change.pendingMs;
    ranMs += change.pending + change.estimate;
  }
  // It ran for most of the time that nobody saw, and nothing says that it stands now.
  if (pendingMs > 0 && 2 * ranMs >= pendingMs && Number.isNaN(engineOn)) work.workedAtMs = tMs;
  if (isSettled) usage.pendingWork = carried;
}

/** Takes what the hour meter says of one day into its figures; yields the work that was seen beyond it, ms. */
function applyHours(
  track: AssetTrack,
  change: LedgerChange,
  pending: PendingWork | undefined,
): number {
  const day = track.days.findLast(({ startMs }) => startMs === change.dayStartMs);
  // Of a day that is not folded here only the balance is kept, so that it is the same in every fold.
  const excessMs = excessOf(change, pending);
  if (day === undefined) return excessMs;
  const { usage } = day;
  track.changedDays.add(day.day);
  addBounds(usage.engine, change);
  if (change.pendingMs === 0) return excessMs;
  day.engineOnMs += change.estimate;
  usage.engine.bridged -= change.pending;
  usage.engine.meter += change.pending + change.estimate;
  usage.engineCover.unknownMs -= change.pendingUnknownMs;
  usage.engineCover.bridgedMs -= change.pendingBridgedMs;
  usage.engineCover.meterMs += change.pendingMs;
  if (pending === undefined) return 0;
  const [shiftMs, overMs] = workChange(pending, change.pending + change.estimate);
  day.workingMs += shiftMs;
  day.overtimeMs += overMs;
  usage.work.bridged -= pending.shiftWorkMs;
  usage.work.meter += pending.shiftWorkMs + shiftMs;
  usage.overtime.bridged -= pending.overWorkMs;
  usage.overtime.meter += pending.overWorkMs + overMs;
  usage.workCover.bridgedMs -= pending.bridgedMs;
  usage.workCover.unknownMs -= pending.unknownMs;
  usage.workCover.meterMs += pending.bridgedMs + pending.unknownMs;
  return excessMs;
}

/** Work that was seen and that the hour meter has not counted. */
function excessOf(change: LedgerChange, pending: PendingWork | undefined): number {
  if (pending === undefined) return 0;
  const { shiftWorkMs, overWorkMs, seenWorkMs } = pending;
  const countedMs = change.pending + change.estimate - shiftWorkMs - overWorkMs;
  return Math.max(0, seenWorkMs - Math.max(0, countedMs));
}

/**
 * What has to be added to work inside the shift and outside where the engine ran for `ranMs`. A machine that
 * says neither speed nor load works as long as its engine runs; another at most that long.
 */
function workChange(
  { shiftMs, overMs, plainMs, shiftWorkMs, overWorkMs, seenWorkMs }: PendingWork,
  ranMs: number,
): readonly [shiftMs: number, overMs: number] {
  // No time at all: work was reported where the engine was not seen, and only what was carried on waits.
  const isPlain = shiftMs + overMs > 0 && 2 * plainMs >= shiftMs + overMs;
  const estimated = shiftWorkMs + overWorkMs;
  const missing = ranMs - estimated - seenWorkMs;
  if (missing > 0) {
    if (!isPlain) return [0, 0];
    const inShift = Math.round((missing * shiftMs) / (shiftMs + overMs));
    return [inShift, missing - inShift];
  }
  if (estimated === 0) return [0, 0];
  const less = Math.max(missing, -estimated);
  const inShift = Math.round((less * shiftWorkMs) / estimated);
  return [inShift, less - inShift];
}
