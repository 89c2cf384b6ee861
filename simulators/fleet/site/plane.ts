import { type Location, offsetLocation } from "../../../domain/geodesy.ts";

/** A place on a site: metres east and north of the site's origin, on the local tangent plane. */
export interface Point {
  readonly eastM: number;
  readonly northM: number;
}

/** Where the site's plane touches the Earth. */
export interface Frame {
  readonly toLocation: (point: Point) => Location;
  readonly toPoint: (location: Location) => Point;
}

/**
 * The plane of a site. The map is affine (domain/geodesy `offsetLocation`), so what is inside a
 * polygon in the plane is inside it in degrees too. Sites lie away from the antimeridian.
 */
export function createFrame(origin: Location): Frame {
  const corner = offsetLocation(origin, 1_000, 1_000);
  const metresPerDegNorth = 1_000 / (corner.latitude - origin.latitude);
  const metresPerDegEast = 1_000 / (corner.longitude - origin.longitude);
  return {
    toLocation: ({ eastM, northM }) => offsetLocation(origin, eastM, northM),
    toPoint: ({ latitude, longitude }) => ({
      eastM: (longitude - origin.longitude) * metresPerDegEast,
      northM: (latitude - origin.latitude) * metresPerDegNorth,
    }),
  };
}

/** Straight distance, metres. */
export function spanM(a: Point, b: Point): number {
  return Math.hypot(b.eastM - a.eastM, b.northM - a.northM);
}

/** Direction from `a` to `b`, degrees clockwise from north, `[0, 360)`. */
export function directionDeg(a: Point, b: Point): number {
  const deg = (Math.atan2(b.eastM - a.eastM, b.northM - a.northM) * 180) / Math.PI;
  return (deg + 360) % 360;
}

/** The point `distanceM` from `from` in a direction, degrees clockwise from north. */
export function moved(from: Point, headingDeg: number, distanceM: number): Point {
  const rad = (headingDeg * Math.PI) / 180;
  return {
    eastM: from.eastM + distanceM * Math.sin(rad),
    northM: from.northM + distanceM * Math.cos(rad),
  };
}

/** The point at `share` (0 to 1) of the path from `a` to `b`. */
export function between(a: Point, b: Point, share: number): Point {
  return {
    eastM: a.eastM + (b.eastM - a.eastM) * share,
    northM: a.northM + (b.northM - a.northM) * share,
  };
}

/** Whether a point lies in a polygon given by its corners (even-odd rule; open or closed ring). */
export function isInside(point: Point, ring: readonly Point[]): boolean {
  let inside = false;
  let previous = ring.at(-1);
  for (const corner of ring) {
    if (previous !== undefined && corner.northM > point.northM !== previous.northM > point.northM) {
      const share = (point.northM - corner.northM) / (previous.northM - corner.northM);
      const crossingEastM = corner.eastM + share * (previous.eastM - corner.eastM);
      if (point.eastM < crossingEastM) inside = !inside;
    }
    previous = corner;
  }
  return inside;
}

/** Distance from a point to the nearest edge of a polygon, metres; `Infinity` for an empty ring. */
export function edgeDistanceM(point: Point, ring: readonly Point[]): number {
  let nearestM = Number.POSITIVE_INFINITY;
  let previous = ring.at(-1);
  for (const corner of ring) {
    if (previous !== undefined) {
      const eastM = corner.eastM - previous.eastM;
      const northM = corner.northM - previous.northM;
      const lengthM2 = eastM * eastM + northM * northM;
      const along =
        (point.eastM - previous.eastM) * eastM + (point.northM - previous.northM) * northM;
      const share = lengthM2 === 0 ? 0 : Math.min(1, Math.max(0, along / lengthM2));
      nearestM = Math.min(nearestM, spanM(point, between(previous, corner, share)));
    }
    previous = corner;
  }
  return nearestM;
}
