import type { JobRecords, KindLoad } from "../ports/jobs.ts";
import type { Database } from "./database.ts";

/** Completed jobs of one kind that its speed is the mean of. Chosen: follows a change within a day. */
const RECENT_JOBS = 20;

type StoredLoad = {
  readonly kind: string;
  readonly queued: number;
  readonly running: number;
  readonly units_left: number | null;
  readonly seconds_per_unit: number | null;
};

/** The job `$2` goes after this one. */
const GOES_BEFORE = `EXISTS (
  SELECT FROM jobs AS place WHERE place.id = $2 AND place.id <> jobs.id
    AND CASE WHEN place.lane = jobs.lane THEN jobs.number < place.number
      ELSE jobs.state = 'running' OR jobs.priority > place.priority
        OR (jobs.priority = place.priority AND jobs.number < place.number) END)`;

/** What there is to do, and how fast it went lately. */
export function createJobLoad(database: Database): JobRecords["load"] {
  return async ({ lane, before } = {}) => {
    const rows = await database.query<StoredLoad>(
      `WITH kinds AS (SELECT DISTINCT kind FROM jobs)
       SELECT kinds.kind, open.queued, open.running, open.units_left, recent.seconds_per_unit
       FROM kinds,
       LATERAL (
         SELECT count(*) FILTER (WHERE state = 'queued') AS queued,
           count(*) FILTER (WHERE state = 'running') AS running,
           sum(work_units * (1 - progress / 100)) AS units_left
         FROM jobs WHERE kind = kinds.kind AND state IN ('queued', 'running')
           AND ($1::text IS NULL OR lane = $1) AND ($2::text IS NULL OR ${GOES_BEFORE})
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
      [lane ?? null, before ?? null],
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
