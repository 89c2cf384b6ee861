import type { AlertTrigger, Geofence, GeofenceKind, Ring } from "../../domain/geofence.ts";
import type { GeofenceId, ProjectId } from "../../domain/ids.ts";
import { isoTime } from "../../domain/iso-time.ts";
import type { GeofenceVersion } from "../ports/geofences.ts";
import type { SqlValue } from "./database.ts";

type StoredShape = {
  readonly project_id: string;
  readonly name: string;
  readonly kind: GeofenceKind;
  readonly ring: Ring;
  readonly area_sqm: number;
  readonly alert_on: readonly AlertTrigger[];
  readonly exit_buffer_m: number;
  readonly confirm_fixes: number;
  readonly min_dwell_s: number;
};

/** A row of `geofence_versions`. */
export type StoredVersion = StoredShape & {
  readonly geofence_id: string;
  readonly valid_from_ms: number;
  readonly valid_to_ms: number | null;
  readonly revision: number;
};

/** A row of `LIVE_FENCES`. */
export type StoredFence = StoredShape & {
  readonly id: string;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
};

/** Columns of `StoredVersion`, in the order of `versionValues`, `valid_to_ms` third. */
export const VERSION_COLUMNS = `geofence_id, valid_from_ms, valid_to_ms, project_id, name, kind, ring,
  area_sqm, alert_on, exit_buffer_m, confirm_fixes, min_dwell_s, revision`;

/** Every fence that is not deleted, with its version in force. */
export const LIVE_FENCES = `geofences AS fence JOIN geofence_versions AS version
  ON version.geofence_id = fence.id AND version.valid_to_ms IS NULL`;

/** Columns of `StoredFence` in `LIVE_FENCES`. */
export const FENCE_COLUMNS = `fence.id, fence.created_at_ms, fence.updated_at_ms, fence.project_id,
  name, kind, ring, area_sqm, alert_on, exit_buffer_m, confirm_fixes, min_dwell_s`;

/** The values of a version that is in force from `fromMs` on; all `VERSION_COLUMNS` but `valid_to_ms`. */
export function versionValues(
  fence: Geofence,
  fromMs: number,
  revision: number,
): readonly SqlValue[] {
  return [
    fence.id,
    fromMs,
    fence.project_id,
    fence.name,
    fence.kind,
    JSON.stringify(fence.ring),
    fence.area_sqm,
    fence.alert_on,
    fence.rules.exit_buffer_m,
    fence.rules.confirm_fixes,
    fence.rules.min_dwell_s,
    revision,
  ];
}

export function toVersion(row: StoredVersion): GeofenceVersion {
  return {
    geofenceId: row.geofence_id as GeofenceId,
    projectId: row.project_id as ProjectId,
    name: row.name,
    kind: row.kind,
    ring: row.ring,
    areaSqm: row.area_sqm,
    alertOn: row.alert_on,
    rules: rulesOf(row),
    validFromMs: row.valid_from_ms,
    validToMs: row.valid_to_ms ?? undefined,
    revision: row.revision,
  };
}

export function toFence(row: StoredFence): Geofence {
  return {
    id: row.id as GeofenceId,
    project_id: row.project_id as ProjectId,
    name: row.name,
    kind: row.kind,
    ring: row.ring,
    area_sqm: row.area_sqm,
    alert_on: row.alert_on,
    rules: rulesOf(row),
    created_at: isoTime(row.created_at_ms),
    updated_at: isoTime(row.updated_at_ms),
  };
}

const rulesOf = ({
  exit_buffer_m,
  confirm_fixes,
  min_dwell_s,
}: StoredShape): Geofence["rules"] => ({
  exit_buffer_m,
  confirm_fixes,
  min_dwell_s,
});
