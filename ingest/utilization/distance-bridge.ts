import { distanceM } from "../../domain/geodesy.ts";
import { localDayAt, type WorkCalendar } from "../../domain/local-time.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import {
  addToLedger,
  HOURS,
  KILOMETRES,
  type LedgerChange,
  type LedgerPiece,
  type MeterLedger,
  newLedger,
  readLedger,
  unlessOld,
} from "../track/meter-ledger.ts";
import type { Observed, UsageSample } from "../track/usage-sample.ts";
import type { UsageState } from "../track/usage-state.ts";
import { MAX_BRIDGE_MS, MAX_GAP_MS, MOVED_M, OUTLIER_SPEED_KMH } from "../track/work.ts";
import { cover, dayParts, type Kind, shareOf } from "./bridged-time.ts";

/**
 * Between two fixes that are no further apart, ms, a straight line is the distance within {@link
 * DISTANCE_SHARE}.
 */
const DENSE_MS = 15_000;
/**
 * Between fixes further apart, ms, a machine's own odometer measures the distance better than straight lines
 * do. Less: a coarse odometer takes the place of fixes each second; more: curves are cut although they were
 * counted.
 */
const STRAIGHT_MS = 30_000;
/** How far an observed distance may be off (0.4 to 3.5 % on 15 real traces). */
const DISTANCE_SHARE = 0.05;
/**
 * From so many readings of a speed the highest is known, up to a factor of {@link TOP_MARGIN}. Fewer would
 * take a slow start for the machine's best; more would leave the bound of 150 km/h for longer.
 */
const TOP_READINGS = 30;
const TOP_MARGIN = 1.3;
/** Straight lines between two fixes are off by this many times their accuracy at most. */
export const NOISE_ACCURACIES = 4;
/**
 * Accuracies between two places that the least distance is measured from. Fewer: half of the line is within the
 * noise; more: curves are cut.
 */
const BASE_ACCURACIES = 20;
/** cm in one ms at 1 km/h. */
const CM_PER_MS = 1 / 36;

/** The distance of one interval, whole cm. */
interface DistanceFigure {
  readonly kind: Kind;
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
}

/** Accounts for distance up to a sample, then compares it with the odometer or the trip counter. */
export function bridgeDistance(
  track: AssetTrack,
  sample: UsageSample,
  observed: Observed,
  calendar: WorkCalendar,
): void {
  const { usage } = track;
  noteSpeed(usage, sample);
  usage.odometer = unlessOld(usage.odometer, sample.tMs);
  usage.trip = unlessOld(usage.trip, sample.tMs);
  const hasPosition = !Number.isNaN(sample.latitude);
  const gapMs = sample.tMs - usage.distanceToMs;
  const hasMeter = !Number.isNaN(sample.odometerKm) || !Number.isNaN(sample.tripKm);
  // A meter reading among fixes waits for the next of them.
  if (hasPosition || (hasMeter && !(gapMs <= MAX_GAP_MS))) {
    if (gapMs > MAX_BRIDGE_MS) {
      usage.odometer = undefined;
      usage.trip = undefined;
    } else if (gapMs > 0) {
      account(track, sample, observed, calendar);
    }
    usage.distanceToMs = sample.tMs;
  }
  if (hasPosition) {
    // Also after a silence, and over midnight: earlier movement belongs to another interval.
    const { positionAtMs } = usage;
    const isContinued =
      sample.tMs - positionAtMs <= MAX_GAP_MS && !isNewDay(calendar, positionAtMs, sample.tMs);
    if (!isContinued || Number.isNaN(usage.baseLatitude)) setBase(usage, sample);
    usage.latitude = sample.latitude;
    usage.longitude = sample.longitude;
    usage.accuracyM = sample.accuracyM;
    usage.positionAtMs = sample.tMs;
  }
  readMeters(track, sample);
}

const isNewDay = (calendar: WorkCalendar, fromMs: number, toMs: number): boolean =>
  localDayAt(calendar, fromMs).startMs !== localDayAt(calendar, toMs).startMs;

function noteSpeed(usage: UsageState, { speedKmh }: UsageSample): void {
  if (!(speedKmh > 1 && speedKmh <= OUTLIER_SPEED_KMH)) return;
  usage.topSpeedKmh = Math.max(usage.topSpeedKmh, speedKmh);
  usage.speedReadings = Math.min(TOP_READINGS, usage.speedReadings + 1);
}

/** Farthest that the machine comes in one ms, cm. */
function fastestOf({ topSpeedKmh, speedReadings }: UsageState): number {
  const isKnown = speedReadings >= TOP_READINGS;
  return (
    CM_PER_MS *
    (isKnown ? Math.min(OUTLIER_SPEED_KMH, topSpeedKmh * TOP_MARGIN) : OUTLIER_SPEED_KMH)
  );
}

function account(
  track: AssetTrack,
  sample: UsageSample,
  observed: Observed,
  calendar: WorkCalendar,
): void {
  const { usage } = track;
  const fromMs = usage.distanceToMs;
  const gapMs = sample.tMs - fromMs;
  const fastest = fastestOf(usage);
  const figureOfGap = distanceOf(usage, sample, observed, fastest);
  const parts = dayParts(track, calendar, fromMs, sample.tMs);
  parts.forEach((part, i) => {
    const isSeen = figureOfGap.kind === "seen";
    // Observed distance is credited to the day of its end (see `utilization.ts`).
    const whole = i === parts.length - 1 ? figureOfGap : { estimate: 0, lower: 0, upper: 0 };
    const figure = isSeen ? whole : shareOf(figureOfGap, part.ms, gapMs, fastest);
    if (part.day !== undefined) {
      const { distance, distanceCover } = part.day.usage;
      cover(distanceCover, figureOfGap.kind, part.ms);
      distance.lower += figure.lower;
      distance.upper += figure.upper;
      if (!isSeen) {
        part.day.distanceM += figure.estimate / 100;
        distance.bridged += figure.estimate;
      }
    }
    const piece: LedgerPiece = {
      dayStartMs: part.dayStartMs,
      estimate: figure.estimate,
      lower: figure.lower,
      upper: figure.upper,
      pendingMs: isSeen && gapMs <= STRAIGHT_MS ? 0 : part.ms,
      pendingBridgedMs: figureOfGap.kind === "bridged" ? part.ms : 0,
      pendingUnknownMs: figureOfGap.kind === "unknown" ? part.ms : 0,
      pending: isSeen ? 0 : figure.estimate,
    };
    if (usage.odometer !== undefined) usage.odometer = addToLedger(usage.odometer, piece);
    if (usage.trip !== undefined) usage.trip = addToLedger(usage.trip, piece);
  });
}

function distanceOf(
  usage: UsageState,
  sample: UsageSample,
  { travelledM, anchorAgeMs }: Observed,
  fastest: number,
): DistanceFigure {
  const gapMs = sample.tMs - usage.distanceToMs;
  const isSeen = gapMs <= MAX_GAP_MS && anchorAgeMs <= MAX_GAP_MS;
  if (isSeen) {
    if (travelledM === 0) return { kind: "seen", estimate: 0, lower: 0, upper: 0 };
    const cm = travelledM * 100;
    const upper = cm * (1 + DISTANCE_SHARE) + NOISE_ACCURACIES * sample.accuracyM * 100;
    const sinceMs = Math.max(gapMs, anchorAgeMs);
    return {
      kind: "seen",
      estimate: Math.round(cm),
      lower: leastSinceBase(usage, sample),
      upper: Math.ceil(gapMs > DENSE_MS ? Math.max(upper, sinceMs * fastest) : upper),
    };
  }
  const most = Math.ceil(engineTimeMs(usage, sample, gapMs) * fastest);
  // A meter was read between the two fixes: their distance is not that of this interval.
  if (Number.isNaN(sample.latitude) || usage.positionAtMs !== usage.distanceToMs) {
    return { kind: "unknown", estimate: 0, lower: 0, upper: most };
  }
  const meters = distanceM(usage, sample);
  const noiseM = (NOISE_ACCURACIES / 2) * (usage.accuracyM + sample.accuracyM);
  const isOutlier = meters * 100 > gapMs * OUTLIER_SPEED_KMH * CM_PER_MS;
  const isMoved = meters > Math.max(MOVED_M, 2 * sample.accuracyM) && !isOutlier;
  const estimate = isMoved ? Math.round(meters * 100) : 0;
  const lower = isMoved ? Math.floor(Math.max(0, meters - noiseM) * 100 * (1 - DISTANCE_SHARE)) : 0;
  return {
    kind: isOutlier ? "unknown" : "bridged",
    estimate,
    lower,
    upper: Math.max(most, Math.ceil(estimate * (1 + DISTANCE_SHARE) + noiseM * 100)),
  };
}

/**
 * The least distance that fixes in close sequence show, cm: straight lines of many accuracies, because the
 * noise of a stationary machine makes many short ones.
 */
function leastSinceBase(usage: UsageState, sample: UsageSample): number {
  const base = { latitude: usage.baseLatitude, longitude: usage.baseLongitude };
  const meters = distanceM(base, sample);
  if (!(meters >= BASE_ACCURACIES * sample.accuracyM)) return 0;
  setBase(usage, sample);
  const cm = (meters - NOISE_ACCURACIES * sample.accuracyM) * 100;
  return Math.floor(Math.max(0, cm) * (1 - DISTANCE_SHARE));
}

function setBase(usage: UsageState, { latitude, longitude }: UsageSample): void {
  usage.baseLatitude = latitude;
  usage.baseLongitude = longitude;
}

/** How long the engine may have run in a silence: at most what its meter advanced. */
function engineTimeMs({ hours, distanceToMs }: UsageState, sample: UsageSample, gapMs: number) {
  if (hours === undefined || hours.atMs !== distanceToMs) return gapMs;
  const goneMs = (sample.engineHours - hours.value + hours.step) * HOURS.perUnit;
  return goneMs >= 0 ? Math.min(gapMs, goneMs) : gapMs;
}

/** What one meter of distance says. */
interface MeterReading {
  readonly km: number;
  readonly atMs: number;
  /** Distance that it may have counted and positions show later, cm. */
  readonly ahead: number;
  /** Whether the days' distances follow it. */
  readonly counts: boolean;
}

function readMeters(track: AssetTrack, { tMs, odometerKm, tripKm }: UsageSample): void {
  // Nearly always: few machines send either.
  if (Number.isNaN(odometerKm) && Number.isNaN(tripKm)) return;
  const { usage } = track;
  // A meter that is read among positions has counted some distance that they show later.
  const aheadMs = tMs - usage.distanceToMs;
  const ahead = aheadMs > 0 ? Math.ceil(aheadMs * fastestOf(usage)) : 0;
  const read = { km: odometerKm, atMs: tMs, ahead, counts: true };
  usage.odometer = readMeter(track, usage.odometer, read);
  // The odometer, if there are two meters: a trip counter can be reset at any time.
  const counts = usage.odometer === undefined;
  usage.trip = readMeter(track, usage.trip, { km: tripKm, atMs: tMs, ahead, counts });
}

function readMeter(
  track: AssetTrack,
  before: MeterLedger | undefined,
  { km, atMs, ahead, counts }: MeterReading,
): MeterLedger | undefined {
  if (Number.isNaN(km)) return before;
  if (before === undefined) return newLedger(km, atMs, ahead);
  const { ledger, changes } = readLedger(before, km, atMs, KILOMETRES, ahead);
  if (counts) for (const change of changes) applyDistance(track, change);
  return ledger;
}

/** Takes what a meter says of one day into its distance. */
function applyDistance(track: AssetTrack, change: LedgerChange): void {
  const day = track.days.findLast(({ startMs }) => startMs === change.dayStartMs);
  if (day === undefined) return;
  const { distance, distanceCover } = day.usage;
  track.changedDays.add(day.day);
  distance.lower += change.lower;
  distance.upper += change.upper;
  if (change.pendingMs === 0) return;
  day.distanceM += change.estimate / 100;
  distance.bridged -= change.pending;
  distance.meter += change.pending + change.estimate;
  distanceCover.unknownMs -= change.pendingUnknownMs;
  distanceCover.bridgedMs -= change.pendingBridgedMs;
  distanceCover.meterMs += change.pendingBridgedMs + change.pendingUnknownMs;
}
