import { DomainError } from "../../domain/errors.ts";
import type { LonLat } from "../../domain/geometry/geofence.ts";

/** A position of a file, and its path there. */
interface PlacedPosition {
  readonly position: LonLat;
  readonly path: string;
}

/** The geometry of a feature that can become a fence, in the file's order of positions. */
export type FenceGeometry =
  | { readonly type: "Polygon"; readonly ring: readonly PlacedPosition[] }
  | { readonly type: "LineString"; readonly line: readonly PlacedPosition[] }
  | { readonly type: "Point"; readonly point: PlacedPosition };

/** What is wrong with one feature, by its place in the file. */
export interface FeatureFlaw {
  /** `features[3].geometry.coordinates[0][17]`, `placemarks[3].coordinates[17]`. */
  readonly path: string;
  readonly message: string;
}

/** One feature of a file, as it came. */
export interface FenceFeature {
  /** `features[3]`, `placemarks[3]`. */
  readonly path: string;
  /** Path of its properties, such as `features[3].properties`. */
  readonly propertiesPath: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** `undefined`: it has none that can be a fence, and `flaws` says why. */
  readonly geometry: FenceGeometry | undefined;
  readonly flaws: readonly FeatureFlaw[];
}

/** A file that is not a list of features at all. */
export class FenceFileError extends DomainError {
  constructor(message: string) {
    super("PARAMETER_INVALID", message);
  }
}

/** Most features of a file. Each is a row, and a shape that every process keeps: 4 kB in memory. */
export const MOST_FEATURES = 10_000;
/** Most positions of a file: 5,000 fences of 50 corners. Each costs up to 1 us when crossings are searched for. */
export const MOST_POSITIONS = 250_000;
/** Most flaws that are kept; who has more has one cause for them. */
export const MOST_FLAWS = 100;

/** Why a longitude or latitude is invalid; `undefined`: it is valid. */
export function positionFlaw(lonDeg: number, latDeg: number): string | undefined {
  if (!Number.isFinite(lonDeg) || !Number.isFinite(latDeg))
    return "has a coordinate that is not finite";
  if (Math.abs(lonDeg) > 180) {
    return `has a longitude of ${lonDeg}, outside -180 to 180; positions are longitude, latitude, in degrees (WGS 84)`;
  }
  if (Math.abs(latDeg) > 90) {
    return `has a latitude of ${latDeg}, outside -90 to 90; positions are longitude, latitude, in degrees (WGS 84)`;
  }
  return undefined;
}
