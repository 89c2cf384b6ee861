import { Type } from "typebox";
import { fenceRing, RingError } from "../../domain/geometry/fence-ring.ts";
import { type LonLat, type Ring, VERTEX_COUNT } from "../../domain/geometry/geofence.ts";
import { invalidParameter } from "../validation/validation.ts";
import { kindOf } from "./kind-of.ts";

/** A corner as the contract writes it: latitude, longitude, degrees, WGS 84. */
export type LatLng = readonly [latDeg: number, lngDeg: number];

const MAX_LAT_DEG = 90;
const MAX_LNG_DEG = 180;

/** A pair as the contract writes it; `prefixItems` and `items: false` are how JSON Schema 2020-12 writes one. */
export const LAT_LNG = {
  title: "LatLng",
  type: "array",
  prefixItems: [
    { type: "number", minimum: -MAX_LAT_DEG, maximum: MAX_LAT_DEG, description: "Degrees north" },
    { type: "number", minimum: -MAX_LNG_DEG, maximum: MAX_LNG_DEG, description: "Degrees east" },
  ],
  items: false,
  minItems: 2,
  maxItems: 2,
} as const;

/**
 * The contract's polygon. It describes what `readPolygon` takes; validation is left to that, which names
 * the vertex.
 */
export const Polygon = Type.Unsafe<readonly LatLng[]>({
  type: "array",
  minItems: VERTEX_COUNT.min,
  maxItems: VERTEX_COUNT.max + 1,
  title: "Polygon",
  description:
    `Corners as [latitude, longitude], ${VERTEX_COUNT.min} to ${VERTEX_COUNT.max}, closed or not; ` +
    "must not cross or touch itself, and has 1 m2 or more",
  items: LAT_LNG,
});

/** What is read of a polygon: its closed ring, and its geodesic area, square metres. */
interface ReadPolygon {
  readonly ring: Ring;
  readonly areaM2: number;
}

/**
 * Reads the polygon that a request gives as `parameter`.
 * @throws ParameterError that names the first wrong vertex, as `polygon[3]`, or the polygon.
 */
export function readPolygon(polygon: unknown, parameter: string): ReadPolygon {
  if (polygon === undefined) throw invalidParameter(parameter, "is required");
  if (!Array.isArray(polygon)) {
    throw invalidParameter(
      parameter,
      `must be an array of [latitude, longitude] pairs, not ${kindOf(polygon)}`,
    );
  }
  const nameOf = (vertex: number) => `${parameter}[${vertex}]`;
  try {
    return fenceRing(polygon.map((vertex, i) => readLatLng(vertex, nameOf(i))));
  } catch (error) {
    if (!(error instanceof RingError)) throw error;
    const { vertex, message } = error;
    throw invalidParameter(vertex === undefined ? parameter : nameOf(vertex), message);
  }
}

/** The corners of a ring as the contract writes them, the closing one left out. */
export function polygonOf(ring: Ring): readonly LatLng[] {
  return ring.slice(0, -1).map(([lonDeg, latDeg]) => [latDeg, lonDeg]);
}

/** Reads one pair that a request gives as `name`. @throws ParameterError. */
export function readLatLng(vertex: unknown, name: string): LonLat {
  if (!Array.isArray(vertex) || vertex.length !== 2) {
    const given = Array.isArray(vertex) ? `an array of ${vertex.length}` : kindOf(vertex);
    throw invalidParameter(name, `must be a [latitude, longitude] pair, not ${given}`);
  }
  const [lat, lng]: readonly unknown[] = vertex;
  const latDeg = readDegrees(lat, name, "latitude", MAX_LAT_DEG);
  return [readDegrees(lng, name, "longitude", MAX_LNG_DEG), latDeg];
}

function readDegrees(value: unknown, name: string, axis: string, maxDeg: number): number {
  if (typeof value !== "number") {
    throw invalidParameter(name, `has ${kindOf(value)} as its ${axis}, which is a number`);
  }
  // `1e999` is JSON and reads as Infinity.
  if (!Number.isFinite(value)) {
    throw invalidParameter(name, `has a ${axis} that is not finite`);
  }
  if (Math.abs(value) > maxDeg) {
    throw invalidParameter(
      name,
      `has a ${axis} of ${value}, outside -${maxDeg} to ${maxDeg}; a pair is [latitude, longitude]`,
    );
  }
  // JSON can say -0, and the stores need not keep it.
  return value + 0;
}
