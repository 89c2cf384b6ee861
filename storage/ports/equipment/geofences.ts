import type {
  AlertTrigger,
  CrossingRules,
  Geofence,
  GeofenceKind,
  Ring,
} from "../../../domain/geometry/geofence.ts";
import type { AssetId, GeofenceId, ProjectId } from "../../../domain/ids.ts";
import type { Changes } from "./changes.ts";

/**
 * A fence as it was in force in `[validFromMs, validToMs)`. Every edit ends one version and begins the next,
 * so that a fix is evaluated by the fence of its own time.
 */
export interface GeofenceVersion {
  readonly geofenceId: GeofenceId;
  readonly projectId: ProjectId;
  readonly name: string;
  readonly kind: GeofenceKind;
  readonly ring: Ring;
  readonly areaSqm: number;
  readonly alertOn: readonly AlertTrigger[];
  readonly rules: CrossingRules;
  /** ms since the Unix epoch; (geofenceId, validFromMs) is unique. */
  readonly validFromMs: number;
  /** `undefined`: in force. */
  readonly validToMs: number | undefined;
  /** Rises with every change of any fence; a version that is ended gets a new one. */
  readonly revision: number;
}

export interface GeofenceRecords {
  /** Its first version is in force from `atMs` on. @throws DomainError `ID_CONFLICT`, `PROJECT_NOT_FOUND`. */
  insert(fence: Geofence, atMs: number): Promise<void>;
  /** As `insert`, all of them or none. */
  insertAll(fences: readonly Geofence[], atMs: number): Promise<void>;
  /** Live fences only. */
  find(id: GeofenceId): Promise<Geofence | undefined>;
  /** Live fences, oldest first. `projectIds` absent: all projects. */
  list(filter: {
    readonly projectIds?: readonly ProjectId[];
    readonly kinds?: readonly GeofenceKind[];
    /** From its other end. */
    readonly isReversed?: boolean;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly fences: readonly Geofence[]; readonly total: number }>;
  /**
   * Replaces a fence by what `change` makes of it: ends the version in force and begins the next, at
   * `atMs` or 1 ms after the version's own start, whichever is later.
   * Edits run one after the other; what `change` throws leaves all as it was.
   * @throws DomainError `GEOFENCE_NOT_FOUND`, `PROJECT_NOT_FOUND`.
   */
  update(id: GeofenceId, change: (before: Geofence) => Geofence, atMs: number): Promise<Geofence>;
  /** Ends the version in force; the id stays taken. @throws DomainError `GEOFENCE_NOT_FOUND`. */
  delete(id: GeofenceId, atMs: number): Promise<void>;
  /**
   * Every version that began or ended after `revision`, by rising revision. With `endedAfterMs`, versions
   * that ended at or before it are left out: no fix is evaluated by them any more.
   */
  changesSince(revision: number, endedAfterMs?: number): Promise<Changes<GeofenceVersion>>;
}

/** Which project an asset belonged to in `[validFromMs, validToMs)`; `undefined`: still does. */
export interface AssetAssignment {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly validFromMs: number;
  readonly validToMs: number | undefined;
}
