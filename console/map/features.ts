import type { Feature, FeatureCollection, Point, Polygon, Position } from "geojson";
import type { Machine } from "../state/machine.ts";
import { type Look, lookOf } from "./shapes.ts";

/** What is drawn of a fence: `[latitude, longitude]` of its corners, degrees. */
export interface Fence {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly polygon: readonly (readonly number[])[];
}

/** What the map knows of a machine. */
interface MachineProperties {
  readonly id: string;
  readonly name: string;
  readonly look: Look;
  /** Degrees clockwise from north; shapes that point nowhere have 0. */
  readonly turn: number;
}

export type MachineFeature = Feature<Point, MachineProperties>;

export function machineFeature(machine: Machine): MachineFeature {
  const { id, name, latitude, longitude, heading } = machine;
  const look = lookOf(machine);
  const turn = look === "active" ? (heading ?? 0) : 0;
  return {
    type: "Feature",
    id,
    properties: { id, name, look, turn },
    geometry: { type: "Point", coordinates: [longitude, latitude] },
  };
}

/** What a source has to be told to go from what it has to what is so. */
interface FeatureChanges {
  readonly remove: string[];
  readonly add: MachineFeature[];
}

/** Compares by value: a machine that only its age changed of is not drawn again. */
export function changesOf(
  known: ReadonlyMap<string, MachineFeature>,
  features: readonly MachineFeature[],
): FeatureChanges {
  const gone = new Set(known.keys());
  for (const { properties } of features) gone.delete(properties.id);
  const add = features.filter((feature) => {
    const before = known.get(feature.properties.id);
    return before === undefined || !isSame(before, feature);
  });
  return { remove: [...gone], add };
}

function isSame(a: MachineFeature, b: MachineFeature): boolean {
  const [longitude, latitude] = a.geometry.coordinates;
  const { name, look, turn } = a.properties;
  return (
    longitude === b.geometry.coordinates[0] &&
    latitude === b.geometry.coordinates[1] &&
    name === b.properties.name &&
    look === b.properties.look &&
    turn === b.properties.turn
  );
}

/** Fences as they are compared with fixes: the outline, also of circles and corridors. */
export function fenceFeatures(fences: readonly Fence[]): FeatureCollection<Polygon> {
  return {
    type: "FeatureCollection",
    features: fences.map(({ id, name, kind, polygon }) => ({
      type: "Feature",
      properties: { id, name, kind },
      geometry: {
        type: "Polygon",
        coordinates: [closed(polygon.map(([lat = 0, lng = 0]) => [lng, lat]))],
      },
    })),
  };
}

/** A ring that ends where it begins, as GeoJSON has it. */
export function closed(ring: Position[]): Position[] {
  const [first] = ring;
  const last = ring.at(-1);
  const isClosed = first?.[0] === last?.[0] && first?.[1] === last?.[1];
  return first === undefined || isClosed ? ring : [...ring, first];
}

/** Metres of a degree of latitude on a sphere of the mean radius; good to 0.6 %, which no circle on a screen shows. */
const METRES_PER_DEGREE = 111_195;
const CORNERS = 48;

/** Where a machine is within its accuracy, in metres on the ground; nothing where no accuracy is known. */
export function accuracyCircle(machine: Machine | undefined): FeatureCollection<Polygon> {
  if (machine?.accuracyM === undefined) return { type: "FeatureCollection", features: [] };
  const { latitude, longitude, accuracyM } = machine;
  const north = accuracyM / METRES_PER_DEGREE;
  const east = north / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  const ring = Array.from({ length: CORNERS + 1 }, (_, index): [number, number] => {
    const angle = (2 * Math.PI * (index % CORNERS)) / CORNERS;
    return [longitude + east * Math.cos(angle), latitude + north * Math.sin(angle)];
  });
  const geometry = { type: "Polygon" as const, coordinates: [ring] };
  return { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry }] };
}
