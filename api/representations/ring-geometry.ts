import { unwrappedLons } from "../../domain/geometry/fence-ring.ts";
import type { LonLat, Ring } from "../../domain/geometry/geofence.ts";

/**
 * An outline as a geometry of GeoJSON: counter-clockwise (RFC 7946 section 3.1.6), and in two parts
 * where it crosses the antimeridian (section 3.1.9). The parts of an outline that goes over it more
 * than twice are joined by lines along it, which hold no area.
 */
export function ringGeometry(ring: Ring): object {
  const lonsDeg = unwrappedLons(ring);
  const flat = ring.map(([, latDeg], i): LonLat => [lonsDeg[i] ?? 0, latDeg]);
  const west = Math.min(...lonsDeg);
  const east = Math.max(...lonsDeg);
  const edgeDeg = east > 180 ? 180 : west < -180 ? -180 : undefined;
  if (edgeDeg === undefined) return { type: "Polygon", coordinates: [counterClockwise(flat)] };
  const parts = [cutAt(flat, edgeDeg, "west"), cutAt(flat, edgeDeg, "east")].filter(
    (part) => part.length > 0,
  );
  const coordinates = parts.map((part) => [counterClockwise(part.map(wrapped(part)))]);
  if (coordinates.length === 1) return { type: "Polygon", coordinates: coordinates[0] };
  return { type: "MultiPolygon", coordinates };
}

/** The part of a closed ring on one side of a meridian, closed (Sutherland and Hodgman, 1974); may be empty. */
function cutAt(ring: Ring, edgeDeg: number, side: "west" | "east"): Ring {
  const sign = side === "west" ? 1 : -1;
  const depthDeg = ([lonDeg]: LonLat) => sign * (edgeDeg - lonDeg);
  const kept: LonLat[] = [];
  let before = ring.at(-2);
  for (const corner of ring.slice(0, -1)) {
    if (before !== undefined && depthDeg(before) * depthDeg(corner) < 0) {
      const share = depthDeg(before) / (depthDeg(before) - depthDeg(corner));
      kept.push([edgeDeg, before[1] + share * (corner[1] - before[1])]);
    }
    if (depthDeg(corner) >= 0) kept.push(corner);
    before = corner;
  }
  // Corners on the meridian alone hold no area.
  if (!kept.some((corner) => depthDeg(corner) > 0)) return [];
  return [...kept, ...kept.slice(0, 1)];
}

/** Brings the longitudes of a part that lies beyond +-180 degrees back. */
function wrapped(part: Ring): (corner: LonLat) => LonLat {
  const isEast = part.some(([lonDeg]) => lonDeg > 180);
  const isWest = part.some(([lonDeg]) => lonDeg < -180);
  const turnDeg = isEast ? -360 : isWest ? 360 : 0;
  return ([lonDeg, latDeg]) => [lonDeg + turnDeg, latDeg];
}

function counterClockwise(ring: Ring): Ring {
  const [[originDeg] = [0]] = ring;
  let twiceArea = 0;
  for (const [i, [lonDeg, latDeg]] of ring.entries()) {
    const [nextLonDeg, nextLatDeg] = ring[(i + 1) % ring.length] ?? [0, 0];
    twiceArea += (lonDeg - originDeg) * nextLatDeg - (nextLonDeg - originDeg) * latDeg;
  }
  return twiceArea < 0 ? ring.toReversed() : ring;
}
