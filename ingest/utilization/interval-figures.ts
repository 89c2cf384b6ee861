import { distanceM } from "../../domain/geodesy.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import type { Observed, UsageSample } from "../track/usage-sample.ts";
import {
  MAX_GAP_MS,
  MOVED_M,
  OUTLIER_SPEED_KMH,
  type Reported,
  reportedAt,
} from "../track/work.ts";
import type { Kind } from "./bridged-time.ts";
import { NOISE_ACCURACIES } from "./distance-bridge.ts";
import {
  distanceByMeter,
  leastTimeOf,
  type MeteredDistance,
  straightTimeOf,
} from "./metered-distance.ts";

/**
 * Longest silence over which the states at its two ends say anything of the time between, ms: an hourly
 * reporter may lose one message. A longer one is an outage, in which hours would be counted that were
 * not worked (traccar #5430); a shorter limit would leave hourly machines without a figure.
 */
const STATE_BRIDGE_MS = 150 * MINUTE_MS;

/**
 * A silence this many times as long as the gap before it is taken for the machine's sleep. Fewer would take a
 * lost message for sleep; more would credit half of the breaks of a device that sleeps in them.
 */
const SLEEP_GAPS = 4;

/**
 * Age up to which a state that is repeated is taken to have held, ms: a report each minute, with the jitter of a
 * device's clock. For older ones the bounds are all that the time allows, because a start and stop of the machine
 * between them is not reported.
 */
const HELD_MS = 75_000;
/**
 * How often a state changes and changes back unreported, ms: one that is sent every minute is wrong by 1 s of it.
 * In proportion to the age, since a shorter change falls more rarely between two reports. Longer
 * makes intervals narrower than they are; shorter makes them useless.
 */
const UNHEARD_MS = HOUR_MS;

/** A figure of one interval, whole ms. */
export interface TimeFigure {
  readonly kind: Kind;
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
  /** Time since the state was sent in which it had no room to be another; absent: none. */
  readonly shortMs?: number;
}

/** Engine time and work of one interval. */
export interface TimeFigures {
  readonly engine: TimeFigure;
  readonly work: TimeFigure;
  /** Whether the work of seen time comes from reports, and not from movement. */
  readonly isReported: boolean;
  /** Neither speed nor load was sent: the machine works as long as its engine runs. */
  readonly isPlain: boolean;
  /** The work is left to the next position, which credits all since the one before. */
  readonly awaitsFix: boolean;
}

/**
 * What two readings, and the distance on the machine's own meter between them, say of the time since
 * `engineToMs`.
 */
export function figuresOf(track: AssetTrack, sample: UsageSample, observed: Observed): TimeFigures {
  const { before } = observed;
  const { usage } = track;
  const gapMs = sample.tMs - usage.engineToMs;
  const after = reportedAt(track.work, sample.tMs);
  const awaitsFix = Number.isNaN(before.works) && awaits(sample, observed, gapMs);
  // Readings closer than that do not hide a distance, and a meter's step would make one up.
  const hidesDistance = gapMs > HELD_MS && !awaitsFix;
  const metered = hidesDistance ? distanceByMeter(usage, sample.tMs) : undefined;
  // A device that says nothing while the engine is off, and wakes up with it, was silent because it was off.
  const wasAsleep = before.engineOn === 0 && gapMs > SLEEP_GAPS * usage.lastGapMs;
  // Engine time was accounted for meanwhile; work was not.
  const openDistance = metered && { ...metered, likelyMs: metered.likelyOpenMs };
  const work = workOf(track, sample, observed, after, wasAsleep, openDistance);
  // A position covers all time since the one before; any other reading leaves the awaited time
  // open.
  const isSaid = (Number.isNaN(before.works) && work.kind === "seen") || usage.awaitedMs === 0;
  return {
    engine: engineOf(track, sample, before, wasAsleep, metered),
    work: isSaid ? work : { ...work, upper: work.upper + usage.awaitedMs },
    isReported: !Number.isNaN(before.works),
    isPlain: !before.hasActivity && !after.hasActivity,
    awaitsFix,
  };
}

/** Whether a position among positions is still to come. */
const awaits = ({ tMs, latitude }: UsageSample, { position }: Observed, gapMs: number): boolean =>
  Number.isNaN(latitude) && gapMs <= MAX_GAP_MS && tMs - position.atMs <= MAX_GAP_MS;

/**
 * Engine time between two readings. A state holds until the next reading, as the fold credits it; where
 * the two differ, it changed at some time in between. Both ends of a silence are a sample, not a bound.
 */
function engineOf(
  { work, usage }: AssetTrack,
  { tMs, engineOn: to }: UsageSample,
  { engineOn: from, engineAtMs: atMs }: Reported,
  wasAsleep: boolean,
  metered: MeteredDistance | undefined,
): TimeFigure {
  const gapMs = tMs - usage.engineToMs;
  if (gapMs > MAX_GAP_MS) {
    const figure = between(from, to, gapMs, wasAsleep);
    return figure.kind === "unknown" ? figure : withDistance(figure, metered);
  }
  if (Number.isNaN(from)) return { kind: "unknown", estimate: 0, lower: 0, upper: gapMs };
  const said = { from, to, atMs, toAtMs: work.engineAtMs, shortMs: usage.engineShortMs };
  return withDistance(held(said, gapMs, tMs), metered);
}

/** A state that is sent now and again. */
interface Said {
  readonly from: number;
  readonly to: number;
  /** When it was sent before the gap, and at its end: the newest; `NaN`: too long ago. */
  readonly atMs: number;
  readonly toAtMs: number;
  /** The part of the time since that had no room for another state. */
  readonly shortMs: number;
}

/** A state over a gap that ends at `tMs`. */
function held({ from, to, atMs, toAtMs, shortMs }: Said, gapMs: number, tMs: number): TimeFigure {
  const estimate = from * gapMs;
  const isChanged = !Number.isNaN(to) && to !== from;
  // Messages without the state left no room for a change between them; it has room now.
  const roomMs = isChanged ? gapMs + shortMs : unheardMs(gapMs, tMs - atMs);
  const leftMs = isChanged ? 0 : shortMs + gapMs - Math.min(gapMs, roomMs);
  return {
    kind: "seen",
    estimate,
    lower: isChanged ? estimate - from * roomMs : Math.max(0, estimate - roomMs),
    upper: isChanged ? estimate + to * roomMs : Math.min(gapMs, estimate + roomMs),
    shortMs: Number.isNaN(toAtMs) ? 0 : Math.min(leftMs, tMs - toAtMs),
  };
}

/** How much of a gap a state that is `ageMs` old at its end may not have held, ms. */
const unheardMs = (gapMs: number, ageMs: number): number =>
  ageMs > HELD_MS ? gapMs : Math.ceil((gapMs * Math.max(gapMs, ageMs)) / UNHEARD_MS);

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

/**
 * What the distance on the machine's own meter adds to a figure: it took some time at least. Where both ends say
 * that the machine was stationary, or nothing is known, the estimate comes from it.
 */
function withDistance(figure: TimeFigure, metered: MeteredDistance | undefined): TimeFigure {
  if (metered === undefined) return figure;
  const { kind, estimate, lower, upper } = figure;
  const isRaised = estimate === 0;
  return {
    ...figure,
    kind: isRaised ? "bridged" : kind,
    estimate: Math.max(isRaised ? metered.likelyMs : estimate, metered.leastMs),
    lower: Math.max(lower, metered.leastMs),
    upper: Math.max(upper, metered.leastMs),
  };
}

function workOf(
  track: AssetTrack,
  sample: UsageSample,
  observed: Observed,
  after: Reported,
  wasAsleep: boolean,
  metered: MeteredDistance | undefined,
): TimeFigure {
  const { before } = observed;
  const gapMs = sample.tMs - track.usage.engineToMs;
  if (Number.isNaN(before.works)) {
    const figure = movementOf(track, sample, observed, gapMs);
    // The meter counts the whole distance; positions show only where it led.
    const isUnseen = figure.kind !== "seen" && metered !== undefined;
    return withDistance(isUnseen ? { ...figure, estimate: 0 } : figure, metered);
  }
  if (gapMs > MAX_GAP_MS) {
    return withDistance(between(before.works, after.works, gapMs, wasAsleep), metered);
  }
  const said = {
    from: before.works,
    to: after.works,
    atMs: before.worksAtMs,
    toAtMs: after.worksAtMs,
    shortMs: track.usage.workShortMs,
  };
  const figure = held(said, gapMs, sample.tMs);
  // What moved was credited.
  return observed.workedMs > 0 ? figure : withDistance(figure, metered);
}

/** Work of a machine that reports none of it, by its positions. */
function movementOf(
  { usage }: AssetTrack,
  sample: UsageSample,
  observed: Observed,
  gapMs: number,
): TimeFigure {
  const { workedMs, travelledM, position } = observed;
  const isSeen = gapMs <= MAX_GAP_MS;
  const sinceFixMs = sample.tMs - position.atMs;
  const hasPosition = sinceFixMs <= (isSeen ? MAX_GAP_MS : gapMs);
  if (!hasPosition || Number.isNaN(sample.latitude)) {
    // A fix will say: what moved until then is credited at once.
    if (awaits(sample, observed, gapMs)) return { kind: "seen", estimate: 0, lower: 0, upper: 0 };
    return { kind: "unknown", estimate: 0, lower: 0, upper: gapMs };
  }
  if (!isSeen) return movedOver(position, sample, gapMs);
  // An engine that has a meter may run while the machine does not move.
  const isMetered = usage.hours !== undefined || !Number.isNaN(sample.engineHours);
  const surelyM = Math.max(0, travelledM - NOISE_ACCURACIES * sample.accuracyM);
  const fastest = Math.floor((surelyM / OUTLIER_SPEED_KMH) * 3_600);
  const isOpen = isMetered || workedMs > 0;
  return {
    kind: "seen",
    estimate: workedMs,
    lower: isMetered ? 0 : Math.min(workedMs, fastest),
    upper: isOpen ? Math.max(gapMs, sinceFixMs, workedMs) : unheardMs(sinceFixMs, sinceFixMs),
  };
}

/** Work of a silence from where the machine was before and after: as long as its distance takes. */
function movedOver(from: Observed["position"], sample: UsageSample, gapMs: number): TimeFigure {
  const meters = distanceM(from, sample);
  const noiseM = (NOISE_ACCURACIES / 2) * (from.accuracyM + sample.accuracyM);
  const isMoved = meters > Math.max(MOVED_M, from.accuracyM + sample.accuracyM);
  return {
    kind: "bridged",
    estimate: isMoved ? straightTimeOf(meters, gapMs) : 0,
    lower: leastTimeOf(Math.max(0, meters - noiseM), gapMs),
    upper: gapMs,
  };
}
