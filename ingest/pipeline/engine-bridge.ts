import type { WorkCalendar } from "../../domain/local-time.ts";
import type { AssetTrack } from "./asset-track.ts";
import { cover, type DayPart, dayParts, shareOf } from "./bridged-time.ts";
import { figuresOf, type TimeFigures } from "./interval-figures.ts";
import {
  addToLedger,
  HOURS,
  type LedgerChange,
  newLedger,
  readLedger,
  unlessOld,
} from "./meter-ledger.ts";
import { noteMeters } from "./metered-way.ts";
import type { Observed, UsageSample } from "./usage-sample.ts";
import { addPendingWork, noPendingWork, type PendingWork, type UsageState } from "./usage-state.ts";
import { MAX_BRIDGE_MS, MAX_GAP_MS, noteCredited } from "./work.ts";

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
    usage.awaitedMs = 0;
    usage.engineShortMs = 0;
    usage.workShortMs = 0;
    noteMeters(usage);
  } else {
    noteMoved(usage, observed);
    if (waitsForEngine(track, sample, observed)) {
      if (Number.isNaN(usage.waitingSinceMs)) usage.waitingSinceMs = sample.tMs;
      return;
    }
    account(track, sample, observed, calendar);
  }
  usage.lastGapMs = sample.tMs - fromMs;
  usage.engineToMs = sample.tMs;
  usage.waitingSinceMs = Number.NaN;
  usage.movedFromMs = Number.NaN;
  usage.movedMs = 0;
  readHours(track, sample);
}

/** Notes what positions show since the reading up to which work is accounted for. */
function noteMoved(usage: UsageState, { workedMs, workedFromMs }: Observed): void {
  if (workedMs === 0) return;
  if (Number.isNaN(usage.movedFromMs)) usage.movedFromMs = workedFromMs;
  usage.movedMs += workedMs;
}

/**
 * Whether a silence is left open for the next reading: sections of one ISO 15143-3 snapshot have times of
 * their own, and the first of them may say nothing of the engine.
 */
function waitsForEngine(
  { usage }: AssetTrack,
  { tMs, engineOn, speedKmh, loadPercent, engineHours, odometerKm, tripKm }: UsageSample,
  { before }: Observed,
): boolean {
  const saysNothing = [engineOn, speedKmh, loadPercent, engineHours].every(Number.isNaN);
  if (!saysNothing || tMs - usage.engineToMs <= MAX_GAP_MS) return false;
  const hasWay = !Number.isNaN(odometerKm) || !Number.isNaN(tripKm);
  const wasKnown =
    !Number.isNaN(before.works) ||
    usage.hours !== undefined ||
    // Of a machine that has only a meter of its way, that is what the next may say.
    (!hasWay && (usage.odometer !== undefined || usage.trip !== undefined));
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
  const { engineToMs: fromMs, movedMs } = usage;
  const figures = figuresOf(track, sample, observed);
  const { engine, work, isPlain, awaitsFix } = figures;
  const gapMs = sample.tMs - fromMs;
  const parts = dayParts(track, calendar, fromMs, sample.tMs);
  // Work is estimated from where a position was awaited in vain, within the day, to where positions show it again.
  const openFromMs = Math.max(
    fromMs - usage.awaitedMs,
    parts[0]?.dayStartMs ?? fromMs,
    Math.min(fromMs, track.work.creditedToMs),
  );
  const isBridged = work.kind !== "seen" && work.estimate > 0;
  const spanMs = sample.tMs - (work.kind === "seen" ? fromMs : openFromMs);
  // What was seen may have begun before the gap: movement is credited since where it is measured from.
  const estimated = isBridged ? { ...work, estimate: Math.min(work.estimate, spanMs) } : work;
  const unseen = isBridged
    ? dayParts(
        track,
        calendar,
        openFromMs,
        Number.isNaN(usage.movedFromMs) ? sample.tMs : usage.movedFromMs,
      )
    : parts;
  usage.awaitedMs = awaitsFix ? usage.awaitedMs + gapMs : 0;
  usage.engineShortMs = engine.shortMs ?? 0;
  usage.workShortMs = work.shortMs ?? 0;
  // The next position takes the way of the meter as well.
  if (!awaitsFix) noteMeters(usage);
  if (isBridged) noteCredited(track.work, sample.tMs);
  for (const [i, part] of parts.entries()) {
    const ofEngine = shareOf(engine, part.ms, gapMs, 1);
    const ofShift = shareOf(work, part.shiftMs, gapMs, 1);
    const ofOvertime = shareOf(work, part.ms - part.shiftMs, gapMs, 1);
    const { ms: unseenMs, shiftMs: unseenShiftMs } = unseen[i] ?? NO_TIME;
    const shiftWorkMs = shareOf(estimated, unseenShiftMs, spanMs, 1).estimate;
    const overWorkMs = shareOf(estimated, unseenMs - unseenShiftMs, spanMs, 1).estimate;
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
        part.day.workingMs += shiftWorkMs;
        part.day.overtimeMs += overWorkMs;
        day.work.bridged += shiftWorkMs;
        day.overtime.bridged += overWorkMs;
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
      : pendingOf(part, figures, shiftWorkMs, overWorkMs, i === parts.length - 1 ? movedMs : 0);
    if (pending !== undefined) usage.pendingWork = addPendingWork(usage.pendingWork, pending);
  }
}

const NO_TIME = { ms: 0, shiftMs: 0 } as const;

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
  movedMs: number,
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
    seenWorkMs: isSeen ? shiftWorkMs + overWorkMs : movedMs,
    ...{ carriedMs: 0, freeMs: 0 },
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
    const freeMs = freeAfter(change, pending);
    if ((excessMs > 0 || freeMs > 0) && isOpen) {
      const work = { seenWorkMs: excessMs, carriedMs: excessMs, freeMs };
      carried.push({ ...noPendingWork(change.dayStartMs), ...work });
    }
    if (isWorkAdded(change, pending)) noteCredited(work, tMs);
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
  const ranMs = change.pending + change.estimate;
  const [shiftMs, overMs] = workChange(pending, ranMs);
  day.workingMs += shiftMs;
  day.overtimeMs += overMs;
  if (ranMs > 0 && !isPlainWork(pending)) {
    // How much of the engine's time was work only speed and load say: it stays an estimate, or unknown.
    usage.work.bridged += shiftMs;
    usage.overtime.bridged += overMs;
    return excessMs;
  }
  usage.work.bridged -= pending.shiftWorkMs;
  usage.work.meter += pending.shiftWorkMs + shiftMs;
  usage.overtime.bridged -= pending.overWorkMs;
  usage.overtime.meter += pending.overWorkMs + overMs;
  usage.workCover.bridgedMs -= pending.bridgedMs;
  usage.workCover.unknownMs -= pending.unknownMs;
  usage.workCover.meterMs += pending.bridgedMs + pending.unknownMs;
  return excessMs;
}

/** Whether the meter adds work of time that is over: asked of the fold alone, whatever days are folded here. */
function isWorkAdded(change: LedgerChange, pending: PendingWork | undefined): boolean {
  if (pending === undefined || change.pendingMs === 0) return false;
  const [shiftMs, overMs] = workChange(pending, change.pending + change.estimate);
  return shiftMs + overMs > 0;
}

/** Work that was seen and that the hour meter has not counted. */
function excessOf(change: LedgerChange, pending: PendingWork | undefined): number {
  if (pending === undefined) return 0;
  const { shiftWorkMs, overWorkMs, seenWorkMs } = pending;
  const ranMs = change.pending + change.estimate;
  const countedMs = ranMs - shiftWorkMs - overWorkMs;
  // A meter of coarse steps first takes back what it then counts: that is not work once more.
  return Math.max(0, seenWorkMs - Math.max(0, countedMs)) + Math.max(0, -ranMs);
}

/** Time up to this reading of the meter that no work is credited for. */
function freeAfter(change: LedgerChange, pending: PendingWork | undefined): number {
  if (pending === undefined) return 0;
  if (change.pendingMs === 0) return freeOf(pending);
  const [shiftMs, overMs] = workChange(pending, change.pending + change.estimate);
  return freeOf(pending) - shiftMs - overMs;
}

/** Time of which no work is credited: no second is credited twice, whatever the meter says. */
const freeOf = (pending: PendingWork): number => {
  const { shiftMs, overMs, shiftWorkMs, overWorkMs, seenWorkMs, carriedMs, freeMs } = pending;
  return Math.max(
    0,
    freeMs + shiftMs + overMs - shiftWorkMs - overWorkMs - (seenWorkMs - carriedMs),
  );
};

/** No time at all: work was reported where the engine was not seen, and only what was carried on waits. */
const isPlainWork = ({ shiftMs, overMs, plainMs }: PendingWork): boolean =>
  shiftMs + overMs > 0 && 2 * plainMs >= shiftMs + overMs;

/**
 * What has to be added to work inside the shift and outside where the engine ran for `ranMs`. A machine that
 * says neither speed nor load works as long as its engine runs; another at most that long.
 */
function workChange(
  pending: PendingWork,
  ranMs: number,
): readonly [shiftMs: number, overMs: number] {
  const { shiftMs, overMs, shiftWorkMs, overWorkMs, seenWorkMs } = pending;
  const estimated = shiftWorkMs + overWorkMs;
  const missing = Math.min(freeOf(pending), ranMs - estimated - seenWorkMs);
  if (missing > 0) {
    if (!isPlainWork(pending)) return [0, 0];
    const inShift = Math.round((missing * shiftMs) / (shiftMs + overMs));
    return [inShift, missing - inShift];
  }
  if (estimated === 0) return [0, 0];
  const less = Math.max(missing, -estimated);
  const inShift = Math.round((less * shiftWorkMs) / estimated);
  return [inShift, less - inShift];
}
