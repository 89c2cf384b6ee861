import { between, type Point } from "../../../simulators/fleet/site/plane.ts";

/** The true path of one machine over the run: straight and at constant speed between its rows. */
export interface Track {
  /** Times of the rows, ascending, ms since the Unix epoch. */
  readonly timesMs: Float64Array;
  readonly points: readonly Point[];
}

/** Where the machine was; before the first and after the last row it stays there. */
export function placeAt(track: Track, atMs: number): Point {
  const i = rowAt(track, atMs);
  const [from, to] = [track.points[i], track.points[i + 1]];
  if (from === undefined) throw new RangeError("a track without rows");
  if (to === undefined) return from;
  const [fromMs, toMs] = [track.timesMs[i] ?? 0, track.timesMs[i + 1] ?? 0];
  const share = (atMs - fromMs) / (toMs - fromMs);
  return between(from, to, Math.min(1, Math.max(0, share)));
}

/** The rows in `[fromMs, toMs]` with the places at both ends. */
export function pointsBetween(track: Track, fromMs: number, toMs: number): readonly Point[] {
  const first = rowAt(track, fromMs) + 1;
  const last = rowAt(track, toMs);
  return [placeAt(track, fromMs), ...track.points.slice(first, last + 1), placeAt(track, toMs)];
}

/** A place of the track and when the machine was there. */
export interface Moment {
  readonly tMs: number;
  readonly point: Point;
}

/** The place at `atMs`, then the rows after it, or with `step` -1 those before it, nearest first. */
export function* momentsFrom(track: Track, atMs: number, step: 1 | -1): Generator<Moment> {
  yield { tMs: atMs, point: placeAt(track, atMs) };
  const row = rowAt(track, atMs);
  for (let i = step === 1 ? row + 1 : row; ; i += step) {
    const [tMs, point] = [track.timesMs[i], track.points[i]];
    if (tMs === undefined || point === undefined) return;
    yield { tMs, point };
  }
}

/** Index of the last row at or before `atMs`; 0 when there is none. */
function rowAt({ timesMs }: Track, atMs: number): number {
  let low = 0;
  let high = timesMs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((timesMs[middle] ?? 0) <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
