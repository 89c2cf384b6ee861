import type { FenceFix } from "./crossing.ts";
import {
  type PlanarScale,
  type Position,
  planarDistanceM,
  planarScale,
  shortWayDeg,
} from "./planar.ts";

/**
 * A place where an asset has stayed: the mean of its fixes since it came there. Noise of positions is
 * correlated over minutes, so that several fixes in a row beyond an edge say nothing; that the asset has
 * left the place where it stood, or that the mean of many minutes lies beyond, does.
 */
export interface Stand {
  /** Fix time of its first fix, ms. */
  startMs: number;
  /** Fix time of its newest fix, ms. */
  lastMs: number;
  meanLonDeg: number;
  meanLatDeg: number;
  /** Weight of the mean, ms: the time credited, at most {@link MEMORY_MS}. */
  creditMs: number;
  /** The newest fix, when it lies away from the mean; a second one in a row ends the stand. */
  away: FenceFix | undefined;
  /** Whether the asset came here from another stand: it was seen to move. */
  readonly cameFromElsewhere: boolean;
}

/** Time after which a stay is one, ms: two correlation times of good receivers' noise (60 s). Chosen. */
export const SETTLED_MS = 120_000;
/** Most that one interval between fixes counts, ms: noise that is older is independent anyway. */
const MAX_CREDIT_MS = SETTLED_MS;
/** Weight at which the mean begins to forget, ms: a machine parked anew nearby is found there. Chosen. */
const MEMORY_MS = 3_600_000;
/** Distance from the mean at which an asset is away, metres; or 3 times the accuracy. Measured in bench/geofence-jitter.ts. */
const AWAY_M = 50;
const AWAY_ACCURACIES = 3;

/** Weight of a stand's first fix, ms; the usual interval of trackers. Chosen. */
const FIRST_CREDIT_MS = 1_000;

export function newStand(fix: FenceFix, cameFromElsewhere: boolean): Stand {
  return {
    startMs: fix.tMs,
    lastMs: fix.tMs,
    meanLonDeg: fix.lonDeg,
    meanLatDeg: fix.latDeg,
    creditMs: FIRST_CREDIT_MS,
    away: undefined,
    cameFromElsewhere,
  };
}

/** The stand after one more fix: the same one, or a new one when the asset has left it. */
export function nextStand(stand: Stand, fix: FenceFix): Stand {
  const scale = planarScale(fix.latDeg);
  if (planarDistanceM(meanOf(stand), fix, scale) > awayM(fix)) {
    const { away } = stand;
    if (away === undefined) {
      stand.away = fix;
      return stand;
    }
    const next = newStand(away, true);
    include(next, fix, scale);
    return next;
  }
  stand.away = undefined;
  include(stand, fix, scale);
  return stand;
}

export const meanOf = ({ meanLonDeg, meanLatDeg }: Stand): Position => ({
  lonDeg: meanLonDeg,
  latDeg: meanLatDeg,
});

/** Whether the asset stays there for long enough that the mean says where it is. */
export const isSettled = (stand: Stand): boolean => stand.creditMs >= SETTLED_MS;

const awayM = (fix: FenceFix): number => Math.max(AWAY_ACCURACIES * fix.accuracyM, AWAY_M);

function include(stand: Stand, fix: FenceFix, _scale: PlanarScale): void {
  const creditMs = Math.min(fix.tMs - stand.lastMs, MAX_CREDIT_MS);
  stand.creditMs = Math.min(stand.creditMs + creditMs, MEMORY_MS);
  const share = creditMs / stand.creditMs;
  stand.meanLonDeg += shortWayDeg(fix.lonDeg - stand.meanLonDeg) * share;
  stand.meanLatDeg += (fix.latDeg - stand.meanLatDeg) * share;
  stand.lastMs = fix.tMs;
}
