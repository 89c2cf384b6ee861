import type { Position } from "geojson";
import type { GeoJSONStoreFeatures } from "terra-draw";
import { DECIMALS, type Draft, type LatLng } from "./draft.ts";
import { circleRing, closedRing, distanceM } from "./figures.ts";

/** Mode of the drawing tool that a shape is drawn and kept in. */
export const MODES = {
  polygon: "polygon",
  circle: "circle",
  corridor: "linestring",
  line: "linestring",
  point: "point",
} as const;

/** A draft as the drawing tool takes it; `undefined`: there is too little of it for a shape. */
export function drawnFeature(draft: Draft): GeoJSONStoreFeatures | undefined {
  const { shape, points, sizeM } = draft;
  const properties = { mode: MODES[shape] };
  if (shape === "corridor" || shape === "line") {
    if (points.length < 2) return undefined;
    const coordinates = points.map(([lat, lng]) => cut([lng, lat]));
    return { type: "Feature", properties, geometry: { type: "LineString", coordinates } };
  }
  const [centre] = points;
  if (shape === "point") {
    if (centre === undefined) return undefined;
    const [lat, lng] = centre;
    const coordinates = cut([lng, lat]);
    return { type: "Feature", properties, geometry: { type: "Point", coordinates } };
  }
  if (shape === "circle") {
    if (centre === undefined || sizeM === undefined) return undefined;
    const coordinates = [circleRing(centre, sizeM)];
    return {
      type: "Feature",
      properties: { ...properties, radiusKilometers: sizeM / 1_000 },
      geometry: { type: "Polygon", coordinates },
    };
  }
  if (points.length < 3) return undefined;
  const coordinates = [closedRing(points).map(cut)];
  return { type: "Feature", properties, geometry: { type: "Polygon", coordinates } };
}

/** The tool refuses coordinates with more decimals than it draws. */
const cut = ([lng = 0, lat = 0]: Position): Position => [
  Number(lng.toFixed(DECIMALS)),
  Number(lat.toFixed(DECIMALS)),
];

/**
 * The draft after the tool changed its feature. Corners that it did not move stay as they were, with all their
 * decimals; so does the width of a corridor.
 */
export function afterDrawing(before: Draft, { geometry, properties }: GeoJSONStoreFeatures): Draft {
  const known = new Map(before.points.map((point) => [keyOf(point), point]));
  const keep = (point: LatLng) => known.get(keyOf(point)) ?? point;
  if (properties["mode"] === MODES.circle && geometry.type === "Polygon") {
    return circleOf(openRing(geometry.coordinates[0]), before);
  }
  if (geometry.type === "LineString") {
    const points = geometry.coordinates.map(toLatLng).map(keep);
    const shape = before.shape === "line" ? "line" : "corridor";
    return { shape, points, sizeM: before.sizeM };
  }
  if (geometry.type === "Point") {
    return { shape: "point", points: [toLatLng(geometry.coordinates)], sizeM: undefined };
  }
  const ring = geometry.type === "Polygon" ? openRing(geometry.coordinates[0]) : [];
  return { shape: "polygon", points: ring.map(keep), sizeM: undefined };
}

/** Centre and radius of a drawn circle; its centre stays where only the radius was changed. */
function circleOf(ring: readonly LatLng[], { points: [former] }: Draft): Draft {
  const mean: LatLng = [
    Number((sum(ring, 0) / ring.length).toFixed(DECIMALS)),
    Number((sum(ring, 1) / ring.length).toFixed(DECIMALS)),
  ];
  const [edge = mean] = ring;
  // The mean of the corners is off the centre by less than a thousandth of the radius.
  const isResized =
    former !== undefined && distanceM(former, mean) < Math.max(0.02, distanceM(mean, edge) / 500);
  const centre = isResized ? former : mean;
  const total = ring.reduce((all, corner) => all + distanceM(centre, corner), 0);
  return { shape: "circle", points: [centre], sizeM: Math.round((total / ring.length) * 10) / 10 };
}

const sum = (ring: readonly LatLng[], axis: 0 | 1): number =>
  ring.reduce((all, corner) => all + corner[axis], 0);

const keyOf = ([lat, lng]: LatLng): string => `${lat.toFixed(DECIMALS)} ${lng.toFixed(DECIMALS)}`;

const toLatLng = ([lng = 0, lat = 0]: Position): LatLng => [lat, lng];

const openRing = (ring: readonly Position[] = []): readonly LatLng[] =>
  ring.slice(0, -1).map(toLatLng);
