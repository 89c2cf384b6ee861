import {
  edgeDistanceM,
  isInside,
  type Point,
  spanM,
} from "../../../simulators/fleet/site/plane.ts";
import { momentsFrom } from "./track.ts";
import type { TruthAsset, TruthFence } from "./truth.ts";

/** True times between which a record of a crossing is rightly dated, ms since the Unix epoch. */
export interface DateSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Distance from the edge at which one fix is enough for a crossing, metres: the default `exit_buffer_m` (domain/geometry/geofence.ts). */
const SURE_M = 30;
/** A machine stationary for so long, ms, is located by the mean of its stay (ingest/geofence/stand.ts). */
const STAY_MS = 120_000;

/** Metres to the edge, positive inside. */
export function depthM(point: Point, { ring }: TruthFence): number {
  const distanceM = edgeDistanceM(point, ring);
  return isInside(point, ring) ? distanceM : -distanceM;
}

/**
 * The span of dates for crossings from `firstMs` to `lastMs`, which the rules date by a fix beyond the
 * edge. It goes from the last fix before the machine was near to the edge to the first one after. It is near
 * until it is `SURE_M` away, has been stationary for `STAY_MS`, or crosses the edge again (`bounds`).
 */
export function dateSpan(
  asset: TruthAsset,
  fence: TruthFence,
  [firstMs, lastMs]: readonly [firstMs: number, lastMs: number],
  bounds: DateSpan,
): DateSpan {
  const { fixTimesMs } = asset;
  const nearMs = Math.max(bounds.fromMs, awayMs(asset, fence, firstMs, -1));
  const farMs = Math.min(bounds.toMs, awayMs(asset, fence, lastMs, 1));
  return {
    fromMs: fixTimesMs[firstAfter(fixTimesMs, nearMs) - 1] ?? nearMs,
    toMs: fixTimesMs[firstAfter(fixTimesMs, farMs)] ?? farMs,
  };
}

/** When the machine had got away from the edge after `atMs`, or with `step` -1 was last away before. */
function awayMs({ track }: TruthAsset, fence: TruthFence, atMs: number, step: 1 | -1): number {
  let stoodMs = 0;
  let last = { tMs: atMs, point: undefined as Point | undefined };
  for (const moment of momentsFrom(track, atMs, step)) {
    const pieceMs = Math.abs(moment.tMs - last.tMs);
    const isStanding = last.point !== undefined && spanM(last.point, moment.point) === 0;
    if (isStanding && stoodMs + pieceMs >= STAY_MS) return last.tMs + step * (STAY_MS - stoodMs);
    if (isStanding) stoodMs += pieceMs;
    if (Math.abs(depthM(moment.point, fence)) >= SURE_M) return moment.tMs;
    last = moment;
  }
  return last.tMs;
}

/** Index of the first time after `atMs`, by bisection. */
function firstAfter(times: readonly number[], atMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) > atMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
