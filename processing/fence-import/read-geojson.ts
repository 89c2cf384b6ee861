import type { LonLat } from "../../domain/geometry/geofence.ts";
import type { EventLoopPauses } from "../uploads/event-loop-pauses.ts";
import { cutFeatures } from "./feature-texts.ts";
import {
  type FeatureFlaw,
  type FenceFeature,
  FenceFileError,
  type FenceGeometry,
  MOST_POSITIONS,
  positionFlaw,
} from "./fence-feature.ts";
import { joinAtAntimeridian } from "./join-at-antimeridian.ts";

/** Longest text of one feature, characters: 1,000 corners of three coordinates with all their digits. */
const MOST_FEATURE_CHARS = 131_072;
/** Names of WGS 84 in the member `crs`, which RFC 7946 has no more; other systems are not read. */
const WGS_84_NAMES = /(^|:)(CRS84|4326)$/;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads a GeoJSON FeatureCollection (RFC 7946) feature by feature. What is wrong with one is in its flaws.
 * @throws FenceFileError for a text that is not a FeatureCollection, or one in another coordinate system.
 */
export async function readGeoJson(
  text: string,
  pauses: EventLoopPauses,
): Promise<readonly FenceFeature[]> {
  const { features, rest, hasFeatures } = await cutFeatures(text, pauses);
  requireCollection(rest, hasFeatures);
  const found: FenceFeature[] = [];
  let positionsLeft = MOST_POSITIONS;
  for (const [i, element] of features.entries()) {
    const feature = readFeature(element, `features[${i}]`);
    found.push(feature);
    positionsLeft -= countOf(feature.geometry);
    if (positionsLeft < 0) {
      throw new FenceFileError(
        `has more than ${MOST_POSITIONS} positions by features[${i}]; import it in parts`,
      );
    }
    const pause = pauses.due();
    if (pause !== undefined) await pause;
  }
  return found;
}

function requireCollection(rest: string, hasFeatures: boolean): void {
  const document = parsed(rest);
  if (document === undefined) throw new FenceFileError("is not well-formed JSON");
  if (!isObject(document)) throw new FenceFileError("is not a GeoJSON object");
  const { type, crs } = document;
  if (type !== "FeatureCollection") {
    const given =
      typeof type === "string" ? `a ${JSON.stringify(type.slice(0, 40))}` : "without a type";
    throw new FenceFileError(`is ${given}; a GeoJSON FeatureCollection is expected`);
  }
  if (!hasFeatures) throw new FenceFileError("has no array of features");
  if (crs === undefined || crs === null) return;
  const properties = isObject(crs) ? crs["properties"] : undefined;
  const name = isObject(properties) ? properties["name"] : undefined;
  if (typeof name === "string" && WGS_84_NAMES.test(name)) return;
  throw new FenceFileError(
    "has a crs other than WGS 84; GeoJSON is in longitude and latitude (RFC 7946): convert it first",
  );
}

function readFeature(text: string, path: string): FenceFeature {
  const flawed = (message: string, at = path): FenceFeature => ({
    ...{ path, propertiesPath: `${path}.properties`, properties: {}, geometry: undefined },
    flaws: [{ path: at, message }],
  });
  if (text.length > MOST_FEATURE_CHARS) {
    return flawed(`has ${text.length} characters; ${MOST_FEATURE_CHARS} are allowed`);
  }
  const feature = parsed(text);
  if (feature === undefined) return flawed("is not well-formed JSON");
  if (!isObject(feature) || feature["type"] !== "Feature")
    return flawed("is not a GeoJSON Feature");
  const { geometry, properties } = feature;
  const given = isObject(properties) ? properties : {};
  const flaws: FeatureFlaw[] = [];
  const read = readGeometry(geometry, `${path}.geometry`, flaws);
  return {
    ...{ path, propertiesPath: `${path}.properties`, properties: given, flaws },
    geometry: flaws.length === 0 ? read : undefined,
  };
}

function readGeometry(
  geometry: unknown,
  path: string,
  flaws: FeatureFlaw[],
): FenceGeometry | undefined {
  const flaw = (at: string, message: string) => {
    flaws.push({ path: at, message });
    return undefined;
  };
  if (!isObject(geometry)) return flaw(path, "is missing");
  const { type, coordinates } = geometry;
  const at = `${path}.coordinates`;
  switch (type) {
    case "Polygon":
      return polygonOf(coordinates, at);
    case "MultiPolygon": {
      const parts = Array.isArray(coordinates) ? coordinates : [];
      if (parts.length === 1) return polygonOf(parts[0], `${at}[0]`);
      return joined(parts);
    }
    case "LineString":
      return { type, line: positionsOf(coordinates, at) };
    case "Point": {
      const [point] = positionsOf([coordinates], at);
      return point && { type, point: { ...point, path: at } };
    }
    default:
      return flaw(
        `${path}.type`,
        "must be Polygon, LineString (with a width_m) or Point (with a radius_m)",
      );
  }

  function polygonOf(rings: unknown, ringsPath: string): FenceGeometry | undefined {
    if (!Array.isArray(rings) || rings.length === 0) return flaw(ringsPath, "has no ring");
    if (rings.length > 1) {
      return flaw(`${ringsPath}[1]`, "is a hole, and a fence has one outline");
    }
    return { type: "Polygon", ring: positionsOf(rings[0], `${ringsPath}[0]`) };
  }

  /** Parts of one outline that was cut at the antimeridian (RFC 7946 section 3.1.9) are one again. */
  function joined(parts: readonly unknown[]): FenceGeometry | undefined {
    const polygons = parts.map((part, i) => polygonOf(part, `${at}[${i}]`));
    if (flaws.length > 0) return undefined;
    const rings = polygons.flatMap((one) =>
      one?.type === "Polygon" ? [one.ring.map(({ position }) => position)] : [],
    );
    const ring = joinAtAntimeridian(rings);
    if (ring === undefined) {
      return flaw(
        at,
        `has ${parts.length} parts, and a fence has one outline; make a feature of each`,
      );
    }
    return { type: "Polygon", ring: ring.map((position) => ({ position, path: at })) };
  }

  function positionsOf(list: unknown, listPath: string) {
    if (!Array.isArray(list)) {
      flaw(listPath, "is not an array of positions");
      return [];
    }
    return list.flatMap((given, i) => {
      const place = `${listPath}[${i}]`;
      const position = positionOf(given);
      if (typeof position !== "string") return [{ position, path: place }];
      // One flaw shows what is wrong; a file with swapped axes would have a thousand.
      if (flaws.length === 0) flaw(place, position);
      return [];
    });
  }
}

/** A position, or what is wrong with it. An altitude is ignored. */
function positionOf(given: unknown): LonLat | string {
  if (!Array.isArray(given)) return "is not a position [longitude, latitude]";
  const [lonDeg, latDeg]: readonly unknown[] = given;
  if (typeof lonDeg !== "number" || typeof latDeg !== "number") {
    return "is not a position [longitude, latitude] of two numbers";
  }
  return positionFlaw(lonDeg, latDeg) ?? [lonDeg + 0, latDeg + 0];
}

function countOf(geometry: FenceGeometry | undefined): number {
  if (geometry?.type === "Polygon") return geometry.ring.length;
  return geometry?.type === "LineString" ? geometry.line.length : 1;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `undefined`: it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
