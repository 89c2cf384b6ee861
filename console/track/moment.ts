import { firstAtOrAfter } from "../time/ascending.ts";
import { segmentSpeed } from "./speed.ts";
import type { Track, TrackPoint, TrackStop } from "./track.ts";

/** Where a machine was at a time, and what that rests on. */
export type Moment =
  | {
      readonly kind: "known";
      /** Degrees, WGS 84; on the straight line between two positions unless it is one of them. */
      readonly latitude: number;
      readonly longitude: number;
      readonly isBetween: boolean;
      readonly heading: number | undefined;
      /** `undefined`: not known, not 0. */
      readonly speedKmh: number | undefined;
      readonly isSpeedComputed: boolean;
      /** The position at that time, or the one before it. */
      readonly point: TrackPoint;
      /** From its time to its receipt, of what the place rests on: the latest, where any was received late. */
      readonly lateMs: number | undefined;
      readonly isLateUnknown: boolean;
      readonly stop: TrackStop | undefined;
    }
  /** No positions: the last one is over 5 min old, or the range has none after it. */
  | { readonly kind: "silent"; readonly point: TrackPoint; readonly next: TrackPoint | undefined }
  /** Before the first position of the range, or there are none. */
  | { readonly kind: "unknown"; readonly next: TrackPoint | undefined };

/** Looks a time up in a track. */
export function momentAt(track: Track, ms: number): Moment {
  const { points, stops } = track;
  const place = firstAtOrAfter(points, ms);
  const next = points[place];
  const stop = stops.find(({ fromMs, toMs }) => ms >= fromMs && ms <= toMs);
  const last = points[place - 1];
  if (next?.ms === ms) {
    const { latitude, longitude, heading } = next;
    const speed = speedAt(next, last, points[place + 1]);
    return {
      kind: "known",
      latitude,
      longitude,
      heading,
      ...speed,
      isBetween: false,
      point: next,
      ...latenessOf(next),
      stop,
    };
  }
  if (last === undefined) return { kind: "unknown", next };
  if (next === undefined || next.piece !== last.piece) return { kind: "silent", point: last, next };
  const share = (ms - last.ms) / (next.ms - last.ms);
  const { kmh, isComputed } = segmentSpeed(last, next);
  return {
    kind: "known",
    latitude: last.latitude + share * (next.latitude - last.latitude),
    longitude: last.longitude + share * (next.longitude - last.longitude),
    isBetween: true,
    heading: last.heading,
    speedKmh: last.speedKmh ?? kmh,
    isSpeedComputed: isComputed,
    point: last,
    ...latenessOf(last, next),
    stop,
  };
}

/** How late the last of these positions was received. */
function latenessOf(...points: readonly TrackPoint[]) {
  const lates = points.flatMap(({ lateMs }) => lateMs ?? []);
  return {
    lateMs: lates.length === 0 ? undefined : Math.max(...lates),
    isLateUnknown: points.some(({ isLateUnknown }) => isLateUnknown),
  };
}

/** Speed at a position: as reported, else computed with the one before it or after it in its piece. */
function speedAt(point: TrackPoint, before: TrackPoint | undefined, after: TrackPoint | undefined) {
  if (point.speedKmh !== undefined) return { speedKmh: point.speedKmh, isSpeedComputed: false };
  const own = (other: TrackPoint | undefined) => other?.piece === point.piece;
  if (before !== undefined && own(before)) {
    return {
      speedKmh: segmentSpeed({ ...before, speedKmh: undefined }, point).kmh,
      isSpeedComputed: true,
    };
  }
  if (after !== undefined && own(after)) {
    return {
      speedKmh: segmentSpeed(point, { ...after, speedKmh: undefined }).kmh,
      isSpeedComputed: true,
    };
  }
  return { speedKmh: undefined, isSpeedComputed: false };
}

/** Places are as near as the nearest one, of which a pointer cannot tell which is meant. */
const AS_NEAR = 1.5;

/**
 * The time at which a track was nearest to a place. Where it passed several times, the pass whose time is nearest to
 * `nearMs`. `undefined` for a track without positions.
 */
export function timeNear(
  { points }: Track,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
  nearMs: number,
): number | undefined {
  const scale = Math.cos((latitude * Math.PI) / 180);
  const found = points.map((point, i) => {
    const next = points[i + 1];
    const isJoined = next !== undefined && next.piece === point.piece;
    const to = isJoined ? next : point;
    const [x, y] = [(longitude - point.longitude) * scale, latitude - point.latitude];
    const [dx, dy] = [(to.longitude - point.longitude) * scale, to.latitude - point.latitude];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, (x * dx + y * dy) / length));
    const away = Math.hypot(x - share * dx, y - share * dy);
    return { ms: point.ms + share * (to.ms - point.ms), away };
  });
  const nearest = Math.min(...found.map(({ away }) => away));
  return found
    .filter(({ away }) => away <= nearest * AS_NEAR)
    .sort((a, b) => Math.abs(a.ms - nearMs) - Math.abs(b.ms - nearMs))[0]?.ms;
}
