import type { ObservationId, ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { ZoneObservation } from "../../../domain/sites/site-camera.ts";
import type { Queryable } from "../sql/database.ts";
import { msOf } from "../sql/times.ts";
import { workZones } from "./body-table.ts";

/** A row of `zone_observations`. */
export type StoredObservation = {
  readonly id: string;
  readonly zone_id: string;
  readonly project_id: string;
  readonly progress: number;
  readonly interval_low: number | null;
  readonly interval_high: number | null;
  readonly observed_at_ms: number;
  readonly observed_by: string;
  readonly note: string;
  readonly recorded_at_ms: number;
  readonly source: ZoneObservation["source"];
  readonly image_key: string | null;
};

/** Columns of `StoredObservation`. */
export const OBSERVATION_COLUMNS = `id, zone_id, project_id, progress, interval_low, interval_high,
  observed_at_ms, observed_by, note, recorded_at_ms, source, image_key`;

/** Stores observations; those that are there are left alone. @throws DomainError `ZONE_NOT_FOUND`. */
export async function insertObservations(
  transaction: Queryable,
  observations: readonly ZoneObservation[],
): Promise<void> {
  await workZones.require(
    transaction,
    observations.map(({ zone_id }) => zone_id),
  );
  for (const observation of observations) {
    const [low, high] = observation.interval_95 ?? [null, null];
    await transaction.query(
      `INSERT INTO zone_observations (${OBSERVATION_COLUMNS})
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       ON CONFLICT (id) DO NOTHING`,
      [
        observation.id,
        observation.zone_id,
        observation.project_id,
        observation.progress,
        low,
        high,
        msOf(observation.observed_at),
        observation.observed_by,
        observation.note,
        msOf(observation.recorded_at),
        observation.source,
        observation.image_key ?? null,
      ],
    );
  }
}

export function toObservation(row: StoredObservation): ZoneObservation {
  const { interval_low: low, interval_high: high } = row;
  return {
    id: row.id as ObservationId,
    zone_id: row.zone_id as WorkZoneId,
    project_id: row.project_id as ProjectId,
    progress: row.progress,
    interval_95: low === null || high === null ? undefined : [low, high],
    observed_at: isoTime(row.observed_at_ms),
    observed_by: row.observed_by,
    note: row.note,
    image_key: row.image_key ?? undefined,
    recorded_at: isoTime(row.recorded_at_ms),
    source: row.source,
  };
}
