import area from "@turf/area";
import circle from "@turf/circle";
import kinks from "@turf/kinks";
import length from "@turf/length";
import type { Position } from "geojson";
import { type Draft, type LatLng, rounded } from "./draft.ts";

/** What is measured of a draft while it is drawn, on a sphere: 0.6 % off at worst. The service's figures replace it. */
export interface Figures {
  /** Square metres; of a corridor as if it were straight, which bends and crossings make less of. */
  readonly areaM2: number;
  /** Length of the edge, metres; of a corridor, of its line. */
  readonly lengthM: number;
  /** Where edges cross, which no fence may. */
  readonly crossings: readonly LatLng[];
}

/** Corners of a drawn circle: on a screen it is round, and each is a handle to drag. */
const CIRCLE_CORNERS = 48;
const EARTH_M = 6_371_008.8;
const KM = 1_000;

const position = ([lat, lng]: LatLng): Position => [lng, lat];

/** `undefined`: there is too little to measure. */
export function figuresOf({ shape, points, sizeM = 0 }: Draft): Figures | undefined {
  if (shape === "circle") {
    const areaM2 = Math.PI * sizeM ** 2;
    const lengthM = 2 * Math.PI * sizeM;
    return points.length === 0 || sizeM === 0 ? undefined : { areaM2, lengthM, crossings: [] };
  }
  if (shape === "point" || points.length < (shape === "polygon" ? 3 : 2)) return undefined;
  if (shape === "line") {
    return { areaM2: 0, lengthM: lineLength(points.map(position)), crossings: [] };
  }
  if (shape === "corridor") {
    const lengthM = lineLength(points.map(position));
    return { areaM2: lengthM * sizeM + (Math.PI * sizeM ** 2) / 4, lengthM, crossings: [] };
  }
  const ring = closedRing(points);
  const polygon = { type: "Polygon" as const, coordinates: [ring] };
  const crossings = kinks(polygon).features.map(({ geometry }): LatLng => {
    const [lng = 0, lat = 0] = geometry.coordinates;
    return [lat, lng];
  });
  return { areaM2: area(polygon), lengthM: lineLength(ring), crossings };
}

/** Closed, longitude first. */
export function closedRing(points: readonly LatLng[]): Position[] {
  const ring = points.map(position);
  const [first] = ring;
  return first === undefined ? [] : [...ring, first];
}

/** The outline of a circle, to be drawn; radius in metres. */
export function circleRing(centre: LatLng, radiusM: number): Position[] {
  const options = { steps: CIRCLE_CORNERS, units: "kilometers" as const };
  const [ring = []] = circle(position(centre), radiusM / KM, options).geometry.coordinates;
  return ring.map(([lng = 0, lat = 0]) => [rounded(lng), rounded(lat)]);
}

/** Metres along a great circle. */
export function distanceM([lat1, lng1]: LatLng, [lat2, lng2]: LatLng): number {
  const radians = Math.PI / 180;
  const north = Math.sin(((lat2 - lat1) * radians) / 2) ** 2;
  const east = Math.sin(((lng2 - lng1) * radians) / 2) ** 2;
  const share = north + Math.cos(lat1 * radians) * Math.cos(lat2 * radians) * east;
  return 2 * EARTH_M * Math.asin(Math.sqrt(share));
}

const lineLength = (coordinates: Position[]): number =>
  KM * length({ type: "Feature", properties: {}, geometry: { type: "LineString", coordinates } });
