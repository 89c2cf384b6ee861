import { toShown, type UnitSystem } from "../../format/units.ts";
import type { Sample } from "../../parts/chart/series.ts";
import { segmentSpeed } from "../../track/speed.ts";
import type { Track } from "../../track/track.ts";

/** Speeds of a track, in the unit that is shown. */
interface SpeedSeries {
  readonly samples: readonly Sample[];
  /** The device reported none at all: they are computed from positions. */
  readonly isComputed: boolean;
}

/**
 * Speeds as reported; of a device that reports none, between each two positions. The line ends with each piece: thinned
 * positions of a piece may be further apart than a gap is long.
 */
export function speedSeries({ points }: Pick<Track, "points">, units: UnitSystem): SpeedSeries {
  const isComputed = points.every(({ speedKmh }) => speedKmh === undefined);
  const samples: Sample[] = [];
  for (const [i, point] of points.entries()) {
    const before = points[i - 1];
    const isJoined = before?.piece === point.piece;
    if (before !== undefined && !isJoined) samples.push({ ms: before.ms + 1, value: null });
    const kmh = isComputed
      ? before !== undefined && isJoined
        ? segmentSpeed(before, point).kmh
        : undefined
      : point.speedKmh;
    if (kmh !== undefined) samples.push({ ms: point.ms, value: toShown("speed", kmh, units) });
  }
  return { samples, isComputed };
}
