import { HOUR_MS } from "../../domain/time.ts";
import type { FenceFix } from "./crossing.ts";
import {
  type PlanarScale,
  type Position,
  planarDistanceM,
  planarScale,
  shortestDeltaDeg,
} from "./planar.ts";

/**
 * A place where an asset has stayed: the mean of its fixes since it came there. Noise of positions is
 * correlated over minutes, so several fixes in a row beyond an edge prove nothing. What proves a
 * crossing is that the asset has left the place where it stopped, or that the mean of many minutes
 * lies beyond. The receiver's error is learned from the scatter of its fixes while the asset is
 * stationary: its reported accuracy may be missing or wrong.
 */
export interface Stay {
  /** Fix time of its first fix, ms. */
  readonly startMs: number;
  /** Its newest fix that does not lie away from the mean. */
  last: FenceFix;
  meanLonDeg: number;
  meanLatDeg: number;
  /** Weight of the mean, ms: the time credited, at most {@link MEMORY_MS}. */
  creditMs: number;
  /** Variance of one axis of the receiver's error, square metres; carried over from stay to stay. */
  noiseM2: number;
  /** Whether the noise was learned from the scatter of a long stay; until then it is {@link estimateNoise}. */
  isNoiseLearned: boolean;
  /** The newest fix, when it lies away from the mean; a second one in a row ends the stay. */
  away: FenceFix | undefined;
  /** Whether the asset was seen to move here from another stay: farther than noise may lead. */
  readonly cameFromElsewhere: boolean;
  /** Where it stopped before it set out; `undefined`: nowhere yet. */
  readonly origin: Position | undefined;
}

/**
 * Time after which an asset is stationary, ms: two correlation times of common receivers' noise (60 s).
 * Longer finds stays later; shorter takes noise for the mean.
 */
const SETTLED_MS = 120_000;
/** Most that one interval between fixes counts, ms: errors further apart are independent anyway. */
const MAX_CREDIT_MS = SETTLED_MS;
/** Weight of a stay's first fix, ms. Chosen: less than any tracker's interval. */
const FIRST_CREDIT_MS = 1_000;
/**
 * Weight at which the mean begins to forget, ms: a machine that parks again nearby is found there.
 * Longer follows a machine that creeps too slowly; shorter lets noise move the mean.
 */
const MEMORY_MS = 2 * HOUR_MS;
/**
 * Later fixes weigh more, in proportion to their age in the stay. So the approach, which is part of
 * the stay until the asset is stationary, fades with the square of time. Costs 15 % of precision.
 */
const RECENCY = 2;
/** A 68 % radius in standard deviations of one axis (Rayleigh). */
const RADIUS_68 = 1.51;
/**
 * Most that one step from fix to fix counts towards the first estimate of the noise, square metres: sigma
 * 10 m, the worst that bench/geofence-jitter.ts has. With more, the approach would pass for noise for
 * minutes; with less, a receiver that errs by 10 m is taken for a better one.
 */
const MAX_STEP_NOISE_M2 = 100;
/**
 * Time over which the first estimate forgets the reported accuracy and the approach, ms. A longer one
 * loses passes after short stays; a shorter one knows too few steps.
 */
const FIRST_NOISE_MEMORY_MS = 60_000;
/**
 * Correlation time of the noise that the first estimate assumes, ms: errors of two fixes in a row differ
 * by less than the errors are. Common receivers have 60 s; a longer one makes the estimate larger.
 */
const ASSUMED_CORRELATION_MS = 120_000;
/** Time over which the noise is learned, ms. Chosen: 20 correlation times. */
const NOISE_MEMORY_MS = 1_200_000;
/**
 * Weight of a stay from which on its scatter is noise, ms; before, it is the approach. Shorter takes the approach
 * for noise; longer learns nothing of short stays.
 */
const STEADY_MS = 2 * SETTLED_MS;
/** Distance from the mean at which an asset is away: this many sigmas, the accuracy, or at least so many metres. */
const AWAY_SIGMAS = 5;
const MIN_AWAY_M = 15;

/**
 * Distance at which an asset has moved although its noise is not known, metres: 5 sigmas of 10 m. With
 * less, receivers that report too small an error seem to move while they are stationary.
 */
const SURELY_MOVED_M = 50;

/** A stay that begins with a fix; `from`: the one that was left for it. */
export function newStay(fix: FenceFix, from: Stay | undefined): Stay {
  const origin = from && originOf(from);
  return {
    startMs: fix.tMs,
    last: fix,
    meanLonDeg: fix.lonDeg,
    meanLatDeg: fix.latDeg,
    creditMs: FIRST_CREDIT_MS,
    noiseM2: from?.noiseM2 ?? reportedNoiseM2(fix),
    isNoiseLearned: from?.isNoiseLearned ?? false,
    away: undefined,
    cameFromElsewhere: from !== undefined && isMoved(fix, from, origin),
    origin,
  };
}

/** Where an asset that leaves a stay set out: there, unless it had only paused. */
function originOf(from: Stay): Position {
  return from.creditMs >= SETTLED_MS || from.origin === undefined ? meanOf(from) : from.origin;
}

/** Whether an asset that left a stay for a fix has moved, and not only seemed to by noise that is not known yet. */
function isMoved(fix: FenceFix, from: Stay, origin: Position | undefined): boolean {
  if (from.isNoiseLearned) return true;
  if (from.cameFromElsewhere && from.creditMs < SETTLED_MS) return true;
  if (origin === undefined) return false;
  return (
    planarDistanceM(origin, fix, planarScale(fix.latDeg)) > Math.max(SURELY_MOVED_M, fix.accuracyM)
  );
}

/** The stay after one more fix: the same one, or a new one when the asset has left it. */
export function nextStay(stay: Stay, fix: FenceFix): Stay {
  const scale = planarScale(fix.latDeg);
  const radiusM = Math.max(AWAY_SIGMAS * Math.sqrt(stay.noiseM2), fix.accuracyM, MIN_AWAY_M);
  const eastM = shortestDeltaDeg(fix.lonDeg - stay.meanLonDeg) * scale.mPerLonDeg;
  const northM = (fix.latDeg - stay.meanLatDeg) * scale.mPerLatDeg;
  const distanceM = Math.sqrt(eastM * eastM + northM * northM);
  if (distanceM <= radiusM) {
    stay.away = undefined;
    include(stay, fix, distanceM, scale);
    return stay;
  }
  const { away } = stay;
  if (away === undefined) {
    stay.away = fix;
    return stay;
  }
  const apartM = planarDistanceM(away, fix, scale);
  if (apartM > radiusM) return newStay(fix, stay);
  const next = newStay(away, stay);
  include(next, fix, apartM, scale);
  return next;
}

export const meanOf = ({ meanLonDeg, meanLatDeg }: Stay): Position => ({
  lonDeg: meanLonDeg,
  latDeg: meanLatDeg,
});

/** What an asset is doing, as far as it decides how its fixes are evaluated. */
export type Phase =
  /** Not known yet: only a fix far beyond an edge says anything. */
  | "starting"
  /** It was seen to leave a place, and has not settled in another: a few fixes are enough. */
  | "moving"
  /** It stays where it is: the mean decides. */
  | "stationary"
  /** One fix lies away from where it stopped: the next decides whether it left. */
  | "leaving";

/** The phase after `stay` took the newest fix; `before`: the stay until then. */
export function phaseOf(stay: Stay, before: Stay | undefined): Phase {
  const isNew = before !== undefined && before !== stay;
  if (isNew && stay.cameFromElsewhere) return "moving";
  if (stay.creditMs >= SETTLED_MS) return stay.away === undefined ? "stationary" : "leaving";
  return stay.cameFromElsewhere ? "moving" : "starting";
}

/** Standard deviations of the mean beyond an edge that are enough. Measured in bench/geofence-jitter.ts. */
const SURE_MEAN_SIGMAS = 4;
/** Distance beyond an edge that the mean needs at least, metres; also one sigma of a single fix. Measured there. */
const SURE_MEAN_M = 3;

/**
 * How far beyond an edge the mean must lie to be believed there, metres. One fix per settling time is
 * independent; noise that is correlated for longer is kept out by the sigma of a single fix.
 */
export function sureMeanM({ noiseM2, creditMs }: Stay): number {
  const sigmaM = Math.sqrt(noiseM2);
  const meanSigmaM = sigmaM * Math.sqrt(SETTLED_MS / creditMs);
  return Math.max(SURE_MEAN_SIGMAS * meanSigmaM, sigmaM, SURE_MEAN_M);
}

function include(stay: Stay, fix: FenceFix, distanceM: number, scale: PlanarScale): void {
  const creditMs = Math.min(fix.tMs - stay.last.tMs, MAX_CREDIT_MS);
  if (!stay.isNoiseLearned) estimateNoise(stay, fix, creditMs, scale);
  if (stay.creditMs >= STEADY_MS) {
    stay.isNoiseLearned = true;
    // Two axes make up the distance.
    const scatterM2 = (distanceM * distanceM) / 2;
    stay.noiseM2 += (scatterM2 - stay.noiseM2) * (creditMs / NOISE_MEMORY_MS);
  }
  stay.creditMs = Math.min(stay.creditMs + creditMs, MEMORY_MS);
  const share = Math.min(1, (RECENCY * creditMs) / stay.creditMs);
  stay.meanLonDeg += shortestDeltaDeg(fix.lonDeg - stay.meanLonDeg) * share;
  stay.meanLatDeg += (fix.latDeg - stay.meanLatDeg) * share;
  stay.last = fix;
}

/** Variance of one axis that a reported accuracy implies, square metres. */
const reportedNoiseM2 = ({ accuracyM }: FenceFix): number => (accuracyM / RADIUS_68) ** 2;

/**
 * The first estimate of the noise: from the reported accuracy on, by the steps from fix to fix. Their
 * scatter around the mean says little in the first minutes, because the mean follows it.
 */
function estimateNoise(stay: Stay, fix: FenceFix, creditMs: number, scale: PlanarScale): void {
  const eastM = shortestDeltaDeg(fix.lonDeg - stay.last.lonDeg) * scale.mPerLonDeg;
  const northM = (fix.latDeg - stay.last.latDeg) * scale.mPerLatDeg;
  // As exponentials to first order, which are as good for an estimate and much faster.
  const independent = creditMs / (creditMs + ASSUMED_CORRELATION_MS);
  // Two axes make up the step, and the errors of two fixes.
  const stepM2 = (eastM * eastM + northM * northM) / (4 * independent);
  const noiseM2 = stepM2 < MAX_STEP_NOISE_M2 ? stepM2 : MAX_STEP_NOISE_M2;
  stay.noiseM2 += ((noiseM2 - stay.noiseM2) * creditMs) / (creditMs + FIRST_NOISE_MEMORY_MS);
}
