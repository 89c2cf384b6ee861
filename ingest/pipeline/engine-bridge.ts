import type { WorkCalendar } from "../../domain/local-time.ts";
import type { AssetTrack } from "./asset-track.ts";
import { cover, type DayPart, dayParts, shareOf } from "./bridged-time.ts";
import { figuresOf, HELD_MS, type TimeFigures } from "./interval-figures.ts";
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
import { addPendingWork, noPendingWork, type PendingWork } from "./usage-state.ts";
import { MAX_BRIDGE_MS, MAX_GAP_MS } from "./work.ts";

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
  usage.movedMs += observed.workedMs;
  if (Number.isNaN(fromMs) || sample.tMs - fromMs > MAX_BRIDGE_MS) {
    usage.hours = undefined;
    usage.pendingWork = [];
    usage.waitingSinceMs = Number.NaN;
  } else if (waitsForMore(track, sample, observed)) {
    return;
  } else if (waitsForEngine(track, sample, observed)) {
    if (Number.isNaN(usage.waitingSinceMs)) usage.waitingSinceMs = sample.tMs;
    return;
  } else {
    account(track, sample, observed, calendar);
  }
  usage.lastGapMs = sample.tMs - fromMs;
  usage.engineToMs = sample.tMs;
  usage.waitingSinceMs = Number.NaN;
  usage.movedMs = 0;
  noteMeters(usage);
  readHours(track, sample);
}

/**
 * Whether the time up to a reading that says nothing of the engine or of work is left to the next one. A state that
 * was just said may have changed since; the next one tells. Where the machine says none, a position that comes soon
 * tells whether it moved: what the odometer says of that time would be credited beside it.
 */
function waitsForMore({ usage }: AssetTrack, sample: UsageSample, observed: Observed): boolean {
  if (!saysNothing(sample)) return false;
  const { before, position } = observed;
  const isHeld = [before.engineAtMs, before.worksAtMs].some((atMs) => sample.tMs - atMs <= HELD_MS);
  if (isHeld || !Number.isNaN(sample.latitude)) return isHeld;
  return sample.tMs - Math.min(usage.engineToMs, position.atMs) <= MAX_GAP_MS;
}

const saysNothing = ({ engineOn, speedKmh, loadPercent, engineHours }: UsageSample): boolean =>
  [engineOn, speedKmh, loadPercent, engineHours].every(Number.isNaN);

/**
 * Whether a silence is left open for the next reading: sections of one ISO 15143-3 snapshot have times of
 * their own, and the first of them may say nothing of the engine.
 */
function waitsForEngine({ usage }: AssetTrack, sample: UsageSample, { before }: Observed): boolean {
  const { tMs, odometerKm, tripKm } = sample;
  if (!saysNothing(sample) || tMs - usage.engineToMs <= MAX_GAP_MS) return false;
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
  const gapMs = sample.tMs - fromMs;
  const figures = besideMoved(figuresOf(track, sample, observed), gapMs - movedMs);
  const { engine, work, isPlain } = figures;
  // A position that comes later credits movement from the place before: not the time that has its work.
  if (work.kind !== "seen" && work.estimate > 0) {
    track.work.creditedToMs = Math.max(track.work.creditedToMs, sample.tMs);
  }
  const parts = dayParts(track, calendar, fromMs, sample.tMs);
  for (const [i, part] of parts.entries()) {
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
      : pendingOf(part, figures, {
          shiftWorkMs: ofShift.estimate,
          overWorkMs: ofOvertime.estimate,
          movedMs: i === parts.length - 1 ? movedMs : 0,
        });
    if (pending !== undefined) usage.pendingWork = addPendingWork(usage.pendingWork, pending);
  }
}

/** The estimate of work leaves room for what positions showed of the same time. */
function besideMoved(figures: TimeFigures, roomMs: number): TimeFigures {
  const { work } = figures;
  if (work.kind === "seen" || work.estimate <= roomMs) return figures;
  return { ...figures, work: { ...work, estimate: Math.max(0, roomMs) } };
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
  {
    shiftWorkMs,
    overWorkMs,
    movedMs,
  }: { readonly shiftWorkMs: number; readonly overWorkMs: number; readonly movedMs: number },
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

/** Work that was seen and that the hour meter has not counted. */
function excessOf(change: LedgerChange, pending: PendingWork | undefined): number {
  if (pending === undefined) return 0;
  const { shiftWorkMs, overWorkMs, seenWorkMs } = pending;
  const countedMs = change.pending + change.estimate - shiftWorkMs - overWorkMs;
  return Math.max(0, seenWorkMs - Math.max(0, countedMs));
}

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
  const missing = ranMs - estimated - seenWorkMs;
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
