import type { Ring } from "../geometry/geofence.ts";
import type { HeightUnit } from "../geometry/vertical-datum.ts";
import type { CaptureId, ProjectId, WorkZoneId } from "../ids.ts";

/** What a zone's progress is measured by (docs/progress-method.md). */
export const ZONE_METRICS = ["fill", "cut", "height", "area", "image", "stages", "manual"] as const;
export type ZoneMetricKind = (typeof ZONE_METRICS)[number];

/** Metrics that need a surface from a flight. */
export const SURFACE_METRICS: readonly ZoneMetricKind[] = ["fill", "cut", "height", "area"];

/** One level of a building: a slab, a storey. */
export interface ZoneLevel {
  readonly name: string;
  /** Planned height of its top, metres above the zone's baseline surface. */
  readonly top_m: number;
  /** Share of the zone's work, relative to the other levels; above 0. */
  readonly weight: number;
}

/** One step of a user's own rules of credit, such as "framing" at 20. */
export interface ZoneStage {
  readonly name: string;
  /** Percent complete of a zone that is in this stage, 0 to 100, rising from stage to stage. */
  readonly credit: number;
}

/** `tolerance_m` absent: what the level of detection of the flight makes it. */
export type ZoneMetric =
  | { readonly kind: "fill" | "cut" | "area"; readonly tolerance_m?: number }
  | {
      readonly kind: "height";
      readonly levels: readonly ZoneLevel[];
      readonly tolerance_m?: number;
    }
  | { readonly kind: "stages"; readonly stages: readonly ZoneStage[] }
  | { readonly kind: "image" | "manual" };

/** Ends of a zone's work. */
export const ZONE_SURFACES = ["baseline", "design"] as const;
export type ZoneSurfaceName = (typeof ZONE_SURFACES)[number];

/** Where the heights of a surface come from. */
export type ZoneSurface =
  /** One height. `reference` "survey": in the heights of the surveys; "baseline": above the baseline. */
  | {
      readonly kind: "level";
      readonly height_m: number;
      readonly reference: "survey" | "baseline";
    }
  /** A GeoTIFF of heights, in the file store. */
  | {
      readonly kind: "raster";
      readonly surface_key: string;
      /** In what it counts heights, where the file does not say it; absent: as it says, else metres. */
      readonly height_unit?: HeightUnit;
    }
  /** A triangulated surface that was read from LandXML, in the file store. */
  | { readonly kind: "tin"; readonly surface_key: string }
  /** The ground as a flight saw it before work began: GeoTIFF in the file store. Baselines only. */
  | { readonly kind: "flight"; readonly surface_key: string; readonly capture_id: CaptureId };

/** Which activities of a schedule are a zone's. Any match is enough; compared without regard to case. */
export interface ZoneActivities {
  /** Values of activity codes, or the zone column of a CSV. */
  readonly codes: readonly string[];
  /** Paths of the work breakdown structure, such as "PRJ.20"; all below belongs to it. */
  readonly wbs: readonly string[];
  /** Names or ids of activities; `*` matches any text. */
  readonly names: readonly string[];
}

/** Largest zone, square metres: 3 km by 3 km. The memory of a comparison grows with it. */
export const MAX_ZONE_M2 = 1e7;

/** A part of a project whose progress is reported separately ("zone" in the contract's reports). */
export interface WorkZone {
  readonly id: WorkZoneId;
  readonly project_id: ProjectId;
  readonly name: string;
  /** `undefined`: not on the map; only for the metrics image, stages and manual. */
  readonly polygon: Ring | undefined;
  readonly metric: ZoneMetric;
  /**
   * `undefined` for a metric of surfaces: the first flight that sees the zone makes it, provided that the
   * zone's declared progress is 0.
   */
  readonly baseline: ZoneSurface | undefined;
  readonly design: ZoneSurface | undefined;
  /** Share of the project, relative to the other zones; `undefined`: by schedule or planned volume. */
  readonly weight: number | undefined;
  /** Percent at `declared_at`, which is carried forward until there is evidence. */
  readonly declared_progress: number;
  readonly declared_at: string;
  readonly activities: ZoneActivities;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Everything that is kept for one zone in the file store. */
export const zoneFolder = (id: WorkZoneId): string => `zones/${id}/`;

/** Photographs of what people saw of it. */
export const observationFolder = (id: WorkZoneId): string => `${zoneFolder(id)}observations/`;
