import type { JobRecords, KindLoad } from "../../ports/platform/jobs.ts";
import type { Database } from "../sql/database.ts";

/**
 * Completed jobs of one kind that its speed is the mean of. More follow a change of speed later; fewer let
 * one odd job spoil the forecast.
 */
const RECENT_JOBS = 20;

type StoredLoad = {
  readonly kind: string;
  readonly queued: number;
  readonly running: number;
  readonly units_left: number | null;
  readonly seconds_per_unit: number | null;
};

/** Larger than the number of any job. */
const LAST_NUMBER = "9223372036854775807";
/**
 * A waiting job, and its turn in its project. In `place`: the job `$2`, or one of the project `$4` with the
 * lane `$5` and the priority `$6` that would be added now.
 */
const TURNS = `turns AS (
    SELECT id, kind, project_id, lane, state, number, work_units, progress,
      row_number() OVER (PARTITION BY coalesce(project_id, '') ORDER BY priority DESC, number) AS turn
    FROM jobs WHERE state IN ('queued', 'running')
  ),
  place AS (
    SELECT id, lane, number, turn FROM turns WHERE id = $2
    UNION ALL
    SELECT NULL, $5::text, ${LAST_NUMBER}, 1 + (
      SELECT count(*) FROM jobs WHERE state IN ('queued', 'running') AND priority >= $6::int
        AND coalesce(project_id, '') = $4::text
    ) WHERE $4::text IS NOT NULL
  )`;
const GOES_BEFORE = `EXISTS (
  SELECT FROM place WHERE place.id IS DISTINCT FROM turns.id
    AND CASE WHEN place.lane = turns.lane THEN turns.number < place.number
      ELSE turns.state = 'running' OR (turns.turn, turns.number) < (place.turn, place.number) END)`;

/** What there is to do, and how fast it went lately. */
export function createJobLoad(database: Database): JobRecords["load"] {
  return async ({ lane, projectId, before } = {}) => {
    const place = typeof before === "object" ? before : undefined;
    const rows = await database.query<StoredLoad>(
      `WITH kinds AS (SELECT DISTINCT kind FROM jobs), ${TURNS}
       SELECT kinds.kind, open.queued, open.running, open.units_left, recent.seconds_per_unit
       FROM kinds,
       LATERAL (
         SELECT count(*) FILTER (WHERE state = 'queued') AS queued,
           count(*) FILTER (WHERE state = 'running') AS running,
           sum(work_units * (1 - progress / 100)) AS units_left
         FROM turns WHERE kind = kinds.kind AND ($1::text IS NULL OR lane = $1)
           AND ($3::text IS NULL OR project_id = $3)
           AND (($2::text IS NULL AND $4::text IS NULL) OR ${GOES_BEFORE})
       ) AS open,
       LATERAL (
         -- A later attempt finds finished stages, and so says nothing of a whole job.
         SELECT sum(extract(epoch FROM last.finished_at - last.started_at))::float8
           / nullif(sum(last.work_units), 0) AS seconds_per_unit
         FROM (
           SELECT started_at, finished_at, work_units FROM jobs
           WHERE kind = kinds.kind AND state = 'completed' AND attempts = 1
           ORDER BY finished_at DESC LIMIT ${RECENT_JOBS}
         ) AS last
       ) AS recent
       ORDER BY kinds.kind`,
      [
        lane ?? null,
        typeof before === "string" ? before : null,
        projectId ?? null,
        place === undefined ? null : (place.projectId ?? ""),
        place?.lane ?? null,
        place?.priority ?? null,
      ],
    );
    return rows.map(
      (row): KindLoad => ({
        kind: row.kind,
        queued: row.queued,
        running: row.running,
        unitsLeft: row.units_left ?? 0,
        secondsPerUnit: row.seconds_per_unit ?? undefined,
      }),
    );
  };
}
