import { type Static, Type } from "typebox";
import type { GeofenceId, ProjectId } from "../ids.ts";

/** What a fence is for: `zone` is shown as the place of an asset; the others are not. */
export const GEOFENCE_KINDS = ["zone", "boundary", "restricted"] as const;
export type GeofenceKind = (typeof GEOFENCE_KINDS)[number];

/** What the contract's `alert_on` may hold; `both` means enter and exit. */
export const ALERT_TRIGGERS = ["enter", "exit", "both"] as const;
export type AlertTrigger = (typeof ALERT_TRIGGERS)[number];

/** Corners of a fence's ring, the closing one not counted (docs/rules.md#geofence). */
export const VERTEX_COUNT = { min: 3, max: 1_000 } as const;
/** Smallest fence, square metres (docs/rules.md#geofence). */
export const MIN_AREA_M2 = 1;

/** How sure a crossing must be before it is published; see `ingest/geofence`. */
export const CrossingRules = Type.Object(
  {
    exit_buffer_m: Type.Number({
      minimum: 0,
      maximum: 10_000,
      title: "ExitBuffer",
      description: "Metres beyond the edge at which one fix is enough to report a crossing",
    }),
    confirm_fixes: Type.Integer({
      minimum: 1,
      maximum: 100,
      title: "ConfirmFixes",
      description: "Fixes in a row beyond the edge that confirm a crossing nearer to it",
    }),
    min_dwell_s: Type.Integer({
      minimum: 0,
      maximum: 86_400,
      title: "MinDwell",
      description: "Seconds that an asset must stay beyond the edge before a crossing is reported",
    }),
  },
  { title: "CrossingRules" },
);
export type CrossingRules = Static<typeof CrossingRules>;

/** Rules of a fence that names none; measured in bench/geofence-jitter.ts. */
export const DEFAULT_CROSSING_RULES: CrossingRules = {
  exit_buffer_m: 30,
  confirm_fixes: 2,
  min_dwell_s: 0,
};

/** A position as GeoJSON writes it (RFC 7946 section 3.1.1): longitude, latitude, degrees, WGS 84. */
export type LonLat = readonly [lonDeg: number, latDeg: number];

/**
 * One closed ring, first position = last. A ring that crosses the antimeridian keeps longitudes within
 * [-180, 180]; neighbouring corners are joined in the shorter direction.
 */
export type Ring = readonly LonLat[];

/** What a person drew instead of a polygon. Its outline is made when it is stored, and kept with it. */
export type DrawnShape =
  /** Every place at most `radius_m` from the centre, metres on the ellipsoid. */
  | { readonly type: "circle"; readonly centre: LonLat; readonly radius_m: number }
  /**
   * Every place at most half of `width_m` from the line, round at its ends. The line is straight in
   * longitude and latitude between its points, as GeoJSON draws it (RFC 7946 section 3.1.1).
   */
  | { readonly type: "corridor"; readonly line: readonly LonLat[]; readonly width_m: number };

/** A virtual boundary as a person drew it. */
export interface Geofence {
  readonly id: GeofenceId;
  readonly project_id: ProjectId;
  readonly name: string;
  readonly kind: GeofenceKind;
  /** What positions are compared with: the polygon, or the outline of `drawn`. */
  readonly ring: Ring;
  /** Absent: the fence was drawn as a polygon. */
  readonly drawn?: DrawnShape;
  /** Geodesic area, square metres. */
  readonly area_sqm: number;
  /** As given, without repeats; which crossings open an alert. All crossings are recorded. */
  readonly alert_on: readonly AlertTrigger[];
  readonly rules: CrossingRules;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Whether a crossing of that direction opens an alert. */
export function alertsOn(triggers: readonly AlertTrigger[], direction: "enter" | "exit"): boolean {
  return triggers.includes(direction) || triggers.includes("both");
}
