import type { Ring } from "../geometry/geofence.ts";
import type { HeightUnit } from "../geometry/vertical-datum.ts";
import type { GeofenceId, MeasurementId, ProjectId, StockpileId } from "../ids.ts";

/** How the ground below a stockpile is found (docs/stockpiles.md). */
export const BASE_METHODS = ["plane", "tin", "survey", "level"] as const;
export type BaseMethod = (typeof BASE_METHODS)[number];

/** What a person chose as the base. */
export type BaseChoice =
  /** A plane through the ground around the toe, fitted robustly. */
  | { readonly method: "plane" }
  /** A triangulated surface through the ground around the toe: for ground that bends. */
  | { readonly method: "tin" }
  /** A slab or a bunker's floor at one height, metres, in the heights of the surveys. */
  | { readonly method: "level"; readonly height_m: number }
  /** The ground as it was surveyed when the place was empty: a GeoTIFF in the file store. */
  | {
      readonly method: "survey";
      readonly surface_key: string;
      /** In what it counts heights, where the file does not say it; absent: as it says, else metres. */
      readonly height_unit?: HeightUnit;
    };

/**
 * The origin of the footprint. `proposed`: found in the first surface, and to be confirmed by a person;
 * volumes are measured with it meanwhile, and say so.
 */
export const FOOTPRINT_STATES = ["none", "proposed", "confirmed"] as const;
export type FootprintState = (typeof FOOTPRINT_STATES)[number];

/** Shares of the capacity, percent, at which the status changes. */
export interface StockpileThresholds {
  /** Below it: `empty`. */
  readonly empty_percent: number;
  /** Below it: `low`. */
  readonly low_percent: number;
  /** From it on: `full`. */
  readonly full_percent: number;
}

/** docs/stockpiles.md. */
export const DEFAULT_THRESHOLDS: StockpileThresholds = {
  empty_percent: 2,
  low_percent: 20,
  full_percent: 95,
};

export const STOCKPILE_STATUSES = ["empty", "low", "adequate", "full"] as const;
export type StockpileStatus = (typeof STOCKPILE_STATUSES)[number];

/** Largest footprint, square metres: 1 km by 1 km. The memory of a measurement grows with it. */
export const MAX_FOOTPRINT_M2 = 1e6;

/** A heap of one material in one place. Volumes are cubic metres with three decimals. */
export interface Stockpile {
  readonly id: StockpileId;
  readonly project_id: ProjectId;
  readonly material: string;
  /** Name of the storage area. */
  readonly location: string;
  readonly max_capacity_m3: number;
  /** Tonnes a cubic metre as it lies; `undefined`: no tonnes are reported. */
  readonly density_t_per_m3: number | undefined;
  readonly thresholds: StockpileThresholds;
  readonly footprint: Ring | undefined;
  readonly footprint_state: FootprintState;
  readonly base: BaseChoice;
  /** Fence whose visits are this stockpile's loads; `undefined`: loads are not counted. */
  readonly geofence_id: GeofenceId | undefined;
  readonly current_volume_m3: number;
  /** Standard deviation of the current volume, cubic metres; `undefined`: a person declared it. */
  readonly current_sigma_m3: number | undefined;
  /** The source: a person, the measurement `measurement_id`, or none yet, so that 0 says nothing. */
  readonly volume_basis: VolumeBasis;
  readonly measurement_id: MeasurementId | undefined;
  /** When it was so: ISO 8601, UTC. */
  readonly last_measured: string;
  /**
   * Frame, grid and base that all measurements of this footprint share, so that they can be compared;
   * JSON of `processing/measurement/surface/datum.ts`. The first measurement makes it; `undefined` before that, and
   * again after the footprint or the base was changed.
   */
  readonly datum: unknown;
  readonly created_at: string;
  readonly updated_at: string;
}

export const VOLUME_BASES = ["declared", "measured", "none"] as const;
export type VolumeBasis = (typeof VOLUME_BASES)[number];

/** A material's name as filters compare it: without regard to case, however its letters were composed. */
export const materialKey = (material: string): string => material.normalize("NFC").toLowerCase();

export function stockpileStatus(
  { max_capacity_m3: capacity, thresholds }: Pick<Stockpile, "max_capacity_m3" | "thresholds">,
  volumeM3: number,
): StockpileStatus {
  const percent = (100 * volumeM3) / capacity;
  if (percent < thresholds.empty_percent) return "empty";
  if (percent < thresholds.low_percent) return "low";
  return percent < thresholds.full_percent ? "adequate" : "full";
}
