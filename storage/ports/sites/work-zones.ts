import type { ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import type { ZoneObservation } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";

/** Work zones, and what people said of them. */
export interface WorkZoneRecords {
  /** @throws DomainError `ID_CONFLICT` (ids of deleted ones stay taken), `PROJECT_NOT_FOUND`. */
  insert(zone: WorkZone): Promise<void>;
  find(id: WorkZoneId): Promise<WorkZone | undefined>;
  /** Oldest first. `projectIds` absent: of all projects. `limit` absent: all of them. */
  list(filter: {
    readonly projectIds?: readonly ProjectId[];
    /** From its other end. */
    readonly isReversed?: boolean;
    readonly limit?: number;
    readonly offset: number;
  }): Promise<{ readonly zones: readonly WorkZone[]; readonly total: number }>;
  /**
   * Replaces a zone by what `change` makes of it, and yields that. Changes of one zone run one after the
   * other; what `change` throws leaves all as it was.
   * @throws DomainError `ZONE_NOT_FOUND`.
   */
  update(id: WorkZoneId, change: (before: WorkZone) => WorkZone): Promise<WorkZone>;
  /** Its observations and labels go with it; reports keep their figures. @throws DomainError `ZONE_NOT_FOUND`. */
  delete(id: WorkZoneId): Promise<void>;
  /** @throws DomainError `ZONE_NOT_FOUND`. One that is there already is left alone. */
  addObservation(observation: ZoneObservation): Promise<void>;
  /** Of these zones, up to a time (inclusive), ascending by `observed_at`, then `recorded_at`, then id. */
  observations(ids: readonly WorkZoneId[], untilMs: number): Promise<readonly ZoneObservation[]>;
}
