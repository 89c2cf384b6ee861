import type {
  AlertTrigger,
  DrawnShape,
  Geofence,
  GeofenceKind,
  Ring,
} from "../../../domain/geometry/geofence.ts";
import type { GeofenceId, ProjectId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { GeofenceVersion } from "../../ports/equipment/geofences.ts";
import type { SqlValue } from "../sql/database.ts";
import { msOf } from "../sql/times.ts";

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
  readonly drawn: DrawnShape | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
};

/** Columns of `StoredVersion`. What was drawn is not among them: fixes are evaluated by the ring. */
export const VERSION_COLUMNS = `geofence_id, valid_from_ms, valid_to_ms, project_id, name, kind, ring,
  area_sqm, alert_on, exit_buffer_m, confirm_fixes, min_dwell_s, revision`;

/** Every fence that is not deleted, with its version in force. */
export const LIVE_FENCES = `geofences AS fence JOIN geofence_versions AS version
  ON version.geofence_id = fence.id AND version.valid_to_ms IS NULL`;

/** Columns of `StoredFence` in `LIVE_FENCES`. */
export const FENCE_COLUMNS = `fence.id, fence.created_at_ms, fence.updated_at_ms, fence.project_id,
  name, kind, ring, drawn, area_sqm, alert_on, exit_buffer_m, confirm_fixes, min_dwell_s`;

/** Inserts the fences of `fenceRows`. */
export const INSERT_FENCES = `INSERT INTO geofences (id, project_id, created_at_ms, updated_at_ms)
  SELECT * FROM json_to_recordset($1) AS given
    (id text, project_id text, created_at_ms bigint, updated_at_ms bigint)`;

/** Inserts the first, or next, versions of `versionValues`. */
export const INSERT_VERSIONS = `INSERT INTO geofence_versions
    (geofence_id, valid_from_ms, project_id, name, kind, ring, drawn, area_sqm, alert_on,
     exit_buffer_m, confirm_fixes, min_dwell_s, revision)
  SELECT geofence_id, valid_from_ms, project_id, ($2::text[])[place], kind, ring, drawn, area_sqm,
     alert_on, exit_buffer_m, confirm_fixes, min_dwell_s, revision
  FROM json_to_recordset($1) AS given
    (place integer, geofence_id text, valid_from_ms bigint, project_id text, kind text, ring json,
     drawn json, area_sqm double precision, alert_on text[], exit_buffer_m double precision,
     confirm_fixes integer, min_dwell_s integer, revision bigint)`;

/** The parameter of `INSERT_FENCES`. */
export function fenceRows(fences: readonly Geofence[]): string {
  return JSON.stringify(
    fences.map(({ id, project_id, created_at, updated_at }) => ({
      id,
      project_id,
      created_at_ms: msOf(created_at),
      updated_at_ms: msOf(updated_at),
    })),
  );
}

/**
 * The parameters of `INSERT_VERSIONS`: versions that are in force from `fromMs` on. Names go beside the JSON,
 * where half of a surrogate pair or U+0000 in one would be an error of syntax.
 */
export function versionValues(
  fences: readonly Geofence[],
  fromMs: number,
  nextRevision: () => number,
): readonly SqlValue[] {
  const rows = fences.map((fence, i) => ({
    place: i + 1,
    geofence_id: fence.id,
    valid_from_ms: fromMs,
    project_id: fence.project_id,
    kind: fence.kind,
    ring: fence.ring,
    drawn: fence.drawn,
    area_sqm: fence.area_sqm,
    alert_on: fence.alert_on,
    ...fence.rules,
    revision: nextRevision(),
  }));
  return [JSON.stringify(rows), fences.map(({ name }) => name)];
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
    ...(row.drawn === null ? {} : { drawn: row.drawn }),
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
