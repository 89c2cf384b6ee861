import type { TrackPoint } from "./track.ts";

/** Metres of a degree of latitude on a sphere of the mean radius. */
const METRES_PER_DEGREE = 111_195;

/** Metres between two places that are near each other: on a plane, within 1 % for 100 km. */
function distanceM(
  a: Pick<TrackPoint, "latitude" | "longitude">,
  b: Pick<TrackPoint, "latitude" | "longitude">,
): number {
  const scale = Math.cos((((a.latitude + b.latitude) / 2) * Math.PI) / 180);
  // The shorter way round, where the antimeridian is between the two.
  const east = ((((b.longitude - a.longitude + 180) % 360) + 360) % 360) - 180;
  return METRES_PER_DEGREE * Math.hypot(b.latitude - a.latitude, east * scale);
}

/** A speed, and whether it was computed from two positions because the device reported none. */
interface SegmentSpeed {
  readonly kmh: number;
  readonly isComputed: boolean;
}

/** Speed between two positions that follow each other: reported at the later, else at the earlier, else computed. */
export function segmentSpeed(from: TrackPoint, to: TrackPoint): SegmentSpeed {
  const reported = to.speedKmh ?? from.speedKmh;
  if (reported !== undefined) return { kmh: reported, isComputed: false };
  const hours = (to.ms - from.ms) / 3_600_000;
  const kmh = hours > 0 ? distanceM(from, to) / 1_000 / hours : 0;
  return { kmh, isComputed: true };
}

/** Speeds from which the next class begins, km/h: standing, walking pace, on site, haul road, public road. */
export const CLASS_FROM_KMH = [1, 5, 15, 30] as const;
/** How many classes there are; the first is that of standing. */
export const SPEED_CLASSES = CLASS_FROM_KMH.length + 1;

/** Class of a speed, 0 (standing) to 4 (the fastest). */
export const speedClass = (kmh: number): number =>
  CLASS_FROM_KMH.filter((from) => kmh >= from).length;
