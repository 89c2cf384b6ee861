import type { WorkCalendar } from "../../domain/local-time.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import { addToLedger, type Estimate, unlessOld } from "../track/meter-ledger.ts";
import { addPendingWork, addSeenWork, type PendingWork } from "../track/pending-work.ts";
import type { Observed, UsageSample } from "../track/usage-sample.ts";
import type { UsageState } from "../track/usage-state.ts";
import { MAX_BRIDGE_MS, noteCredited } from "../track/work.ts";
import { addBounds, cover, type DayPart, dayParts, shareOf } from "./bridged-time.ts";
import { readHours } from "./hour-meter.ts";
import { figuresOf, type TimeFigures } from "./interval-figures.ts";
import { noteMeters } from "./metered-distance.ts";
import {
  closeSilence,
  movedWithin,
  noteMoved,
  openSilence,
  waitsForEngine,
} from "./open-silence.ts";

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
    noteMoved(usage, sample, observed);
    if (waitsForEngine(track, sample, observed)) {
      openSilence(usage, sample);
      return;
    }
    account(track, sample, observed, calendar);
  }
  usage.lastGapMs = sample.tMs - fromMs;
  usage.engineToMs = sample.tMs;
  closeSilence(usage);
  readHours(track, sample);
}

/** The figures of one part of an interval, whole ms. */
interface PartFigures {
  readonly part: DayPart;
  readonly figures: TimeFigures;
  readonly engine: Estimate;
  /** Work that was estimated inside the shift and outside. */
  readonly shiftWorkMs: number;
  readonly overWorkMs: number;
}

function account(
  track: AssetTrack,
  sample: UsageSample,
  observed: Observed,
  calendar: WorkCalendar,
): void {
  const { usage } = track;
  const { engineToMs: fromMs } = usage;
  const figures = figuresOf(track, sample, observed);
  const { engine, work, awaitsFix } = figures;
  const gapMs = sample.tMs - fromMs;
  const parts = dayParts(track, calendar, fromMs, sample.tMs);
  const worked =
    work.kind === "seen" ? NO_WORK : estimatedWork(track, calendar, parts, work, sample.tMs);
  usage.awaitedMs = awaitsFix ? usage.awaitedMs + gapMs : 0;
  usage.engineShortMs = engine.shortMs ?? 0;
  usage.workShortMs = work.shortMs ?? 0;
  // The next position covers the meter's distance as well.
  if (!awaitsFix) noteMeters(usage);
  if (isBridged(work)) noteCredited(track.work, sample.tMs);
  // Movement is credited since where it is measured from, which may be before the gap, and on the day before.
  let partFromMs = parts[0]?.dayStartMs ?? fromMs;
  if (engine.kind !== "seen") {
    const movedMs = movedWithin(usage, Number.NEGATIVE_INFINITY, partFromMs);
    usage.pendingWork = addSeenWork(usage.pendingWork, partFromMs, movedMs);
  }
  let partToMs = fromMs;
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i] as DayPart;
    partToMs += part.ms;
    const { shiftWorkMs, overWorkMs } = worked[i] ?? NO_ESTIMATE;
    const ofEngine = shareOf(engine, part.ms, gapMs, 1);
    const ofPart = { part, figures, engine: ofEngine, shiftWorkMs, overWorkMs };
    addToDay(ofPart, gapMs);
    addToMeter(usage, ofPart, movedWithin(usage, partFromMs, partToMs));
    partFromMs = partToMs;
  }
}

/** Whether unobserved work is estimated. */
const isBridged = (work: TimeFigures["work"]): boolean => work.kind !== "seen" && work.estimate > 0;

/** Work that was estimated, ms. */
type EstimatedWork = Pick<PartFigures, "shiftWorkMs" | "overWorkMs">;

const NO_ESTIMATE: EstimatedWork = { shiftWorkMs: 0, overWorkMs: 0 };
const NO_WORK: readonly EstimatedWork[] = [];

/** Work that was estimated in each part; of work that was not seen. */
function estimatedWork(
  track: AssetTrack,
  calendar: WorkCalendar,
  parts: readonly DayPart[],
  work: TimeFigures["work"],
  toMs: number,
): readonly EstimatedWork[] {
  const { usage } = track;
  const fromMs = usage.engineToMs;
  // Work is estimated from where an awaited position did not come, within the day, to where positions show it
  // again.
  const openFromMs = Math.max(
    fromMs - usage.awaitedMs,
    parts[0]?.dayStartMs ?? fromMs,
    Math.min(fromMs, track.work.creditedToMs),
  );
  const spanMs = toMs - (work.kind === "seen" ? fromMs : openFromMs);
  // What was seen may have begun before the gap: movement is credited since where it is measured from.
  const estimated = isBridged(work) ? { ...work, estimate: Math.min(work.estimate, spanMs) } : work;
  const unseenToMs = Number.isNaN(usage.movedFromMs) ? toMs : usage.movedFromMs;
  const unseen = isBridged(work) ? dayParts(track, calendar, openFromMs, unseenToMs) : parts;
  return parts.map((_, i) => {
    const { ms, shiftMs } = unseen[i] ?? NO_TIME;
    return {
      shiftWorkMs: shareOf(estimated, shiftMs, spanMs, 1).estimate,
      overWorkMs: shareOf(estimated, ms - shiftMs, spanMs, 1).estimate,
    };
  });
}

const NO_TIME = { ms: 0, shiftMs: 0 } as const;

/** Adds a part to the figures of its day, if that is folded here. */
function addToDay(
  {
    part,
    figures: { engine, work, isPlain },
    engine: ofEngine,
    shiftWorkMs,
    overWorkMs,
  }: PartFigures,
  gapMs: number,
): void {
  if (part.day === undefined) return;
  const { usage: day } = part.day;
  cover(day.engineCover, engine.kind, part.ms);
  cover(day.workCover, work.kind, part.ms);
  if (isPlain) day.plain.ms += part.ms;
  addBounds(day.engine, ofEngine);
  addBounds(day.work, shareOf(work, part.shiftMs, gapMs, 1));
  addBounds(day.overtime, shareOf(work, part.ms - part.shiftMs, gapMs, 1));
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

/**
 * Keeps a part for the next reading of the hour meter, if there is one.
 * @param movedMs work that positions show of this part, ms
 */
function addToMeter(usage: UsageState, ofPart: PartFigures, movedMs: number): void {
  if (usage.hours === undefined) return;
  const {
    part,
    figures: { engine },
    engine: ofEngine,
  } = ofPart;
  const isSeen = engine.kind === "seen";
  usage.hours = addToLedger(usage.hours, {
    dayStartMs: part.dayStartMs,
    estimate: ofEngine.estimate,
    lower: ofEngine.lower,
    upper: ofEngine.upper,
    pendingMs: isSeen ? 0 : part.ms,
    pendingBridgedMs: engine.kind === "bridged" ? part.ms : 0,
    pendingUnknownMs: engine.kind === "unknown" ? part.ms : 0,
    pending: isSeen ? 0 : ofEngine.estimate,
  });
  const pending = isSeen ? undefined : pendingOf(ofPart, movedMs);
  if (pending !== undefined) usage.pendingWork = addPendingWork(usage.pendingWork, pending);
}

/** What the hour meter may change of the work of this part; `undefined`: nothing, it was reported. */
function pendingOf(
  { part, figures: { work, isReported, isPlain }, shiftWorkMs, overWorkMs }: PartFigures,
  movedMs: number,
): PendingWork | undefined {
  const { dayStartMs, ms, shiftMs } = part;
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
    // What moved is known to the second: a share in proportion would be off where it began before the gap.
    seenWorkMs: movedMs,
    carriedMs: 0,
    freeMs: 0,
  };
}
