import type { Location } from "../../domain/geodesy.ts";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";

/** One position of an asset on its time line. */
export interface FenceFix {
  /** Fix time, ms since the Unix epoch. */
  readonly tMs: number;
  readonly lonDeg: number;
  readonly latDeg: number;
  /** Radius that holds the true position in 68 % of cases, as reported or assumed, metres. */
  readonly accuracyM: number;
}

/** Why a visit began or ended; only `crossing` means that the asset was seen to move over the edge. */
export type CrossingCause =
  | "crossing"
  /** The asset's first fix ever lies inside. */
  | "first_fix"
  /** The fence was drawn or moved over, or away from, the asset. */
  | "fence_changed"
  | "fence_deleted"
  /** The asset went to another project. */
  | "asset_moved"
  | "asset_deleted";

/** An asset came into a fence or left it. */
export interface Crossing {
  /** The fence as it was in force; for an end by its deletion, as it was last. */
  readonly fence: GeofenceVersion;
  readonly type: "entered" | "exited";
  /** ms since the Unix epoch; per fence never before the last crossing reported. */
  readonly atMs: number;
  readonly location: Location;
  readonly accuracyM: number;
  readonly cause: CrossingCause;
  /** Seen only as a line between two fixes outside. */
  readonly inferred: boolean;
  /** Of an inferred crossing: the two fix times it lies between. */
  readonly bounds?: { readonly afterMs: number; readonly beforeMs: number };
}
