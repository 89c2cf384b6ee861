import { DomainError } from "../../../domain/errors.ts";
import type { JobId } from "../../../domain/ids.ts";
import type {
  Attempt,
  Job,
  JobBeat,
  JobError,
  JobFilter,
  JobOutline,
  JobRecords,
  NewJob,
} from "../../ports/platform/jobs.ts";
import type { Database, Queryable, SqlValue } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { withoutNul } from "../sql/text.ts";
import { createJobLoad } from "./job-load.ts";
import {
  COLUMNS,
  OUTLINE,
  type StoredJob,
  type StoredOutline,
  toJob,
  toOutline,
} from "./job-rows.ts";

/** So many ms from now; `$n` is their placeholder. */
const inMs = (placeholder: string): string =>
  `clock_timestamp() + ${placeholder}::float8 * interval '1 millisecond'`;

/** The row of an attempt that still runs; its placeholders are the first three. */
const MINE = "jobs.id = $1 AND runner = $2 AND attempts = $3 AND state = 'running'";

/** Back to the queue; but one that is to be canceled is, for nobody waits for it any more. */
const AGAIN = `state = CASE WHEN cancel_requested THEN 'canceled' ELSE 'queued' END,
  finished_at = CASE WHEN cancel_requested THEN clock_timestamp() END`;

/**
 * No older job of the lane is yet to end. This needs no lock of the lane: numbers become visible in
 * their order, and a job that has ended stays so; therefore in what any statement sees, the one job it
 * may take is the oldest that has not ended, and no other can become that before this one ends.
 */
const FIRST_OF_LANE = `(lane IS NULL OR NOT EXISTS (
  SELECT FROM jobs AS older WHERE older.lane = jobs.lane AND older.number < jobs.number
    AND older.state IN ('queued', 'running')))`;

/** When the project of a job was last given a runner. Jobs of no project count as one project. */
const LAST_SERVED = `(SELECT max(served.started_at) FROM jobs AS served
  WHERE coalesce(served.project_id, '') = coalesce(jobs.project_id, '')
    AND served.started_at IS NOT NULL)`;

/** The queue in SQL. */
export class SqlJobRecords implements JobRecords {
  readonly #database: Database;
  readonly load: JobRecords["load"];

  constructor(database: Database) {
    this.#database = database;
    this.load = createJobLoad(database);
  }

  add(job: NewJob): Promise<{ readonly job: Job; readonly joined: boolean }> {
    return this.#database.transaction((transaction) => addOrJoin(transaction, job));
  }

  // In this order: one that ends between the two reads is seen by the second.
  async joinable(job: Pick<NewJob, "dedupeKey" | "joinCompletedMs">): Promise<Job | undefined> {
    return (await findOpen(this.#database, job)) ?? (await findCompleted(this.#database, job));
  }

  async find(id: JobId): Promise<Job | undefined> {
    const [row] = await this.#database.query<StoredJob>(
      `SELECT ${COLUMNS} FROM jobs WHERE id = $1`,
      [id],
    );
    return row && toJob(row);
  }

  async outlines(ids: readonly JobId[]): Promise<readonly JobOutline[]> {
    const rows = await this.#database.query<StoredOutline>(
      `SELECT ${OUTLINE} FROM jobs WHERE id = ANY ($1)`,
      [ids],
    );
    return rows.map(toOutline);
  }

  async underway({
    endedWithinMs,
    limit,
  }: {
    readonly endedWithinMs: number;
    readonly limit: number;
  }): Promise<readonly JobOutline[]> {
    const rows = await this.#database.query<StoredOutline>(
      `(SELECT ${OUTLINE} FROM jobs WHERE state IN ('queued', 'running')
        ORDER BY number DESC LIMIT $2)
       UNION ALL
       (SELECT ${OUTLINE} FROM jobs WHERE finished_at > ${inMs("-$1")}
        ORDER BY finished_at DESC LIMIT $2)`,
      [endedWithinMs, limit],
    );
    return rows.map(toOutline);
  }

  async list({
    projectIds,
    kinds,
    states,
    isReversed = false,
    limit,
    offset,
  }: JobFilter): Promise<{ readonly jobs: readonly JobOutline[]; readonly total: number }> {
    const matches = `($1::text[] IS NULL OR project_id = ANY ($1))
      AND ($2::text[] IS NULL OR kind = ANY ($2)) AND ($3::text[] IS NULL OR state = ANY ($3))`;
    const filter = [projectIds ?? null, kinds ?? null, states ?? null];
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM jobs WHERE ${matches}`,
      filter,
    );
    const rows = await this.#database.query<StoredOutline>(
      `SELECT ${OUTLINE} FROM jobs WHERE ${matches}
       ORDER BY number ${isReversed ? "ASC" : "DESC"} LIMIT $4 OFFSET $5`,
      [...filter, limit, offset],
    );
    return { jobs: rows.map(toOutline), total: counted?.total ?? 0 };
  }

  async claim(runner: string, kinds: readonly string[]): Promise<Job | undefined> {
    const [row] = await this.#database.query<StoredJob>(
      `WITH next AS (
         SELECT id FROM jobs
         WHERE state = 'queued' AND kind = ANY ($2) AND not_before <= clock_timestamp()
           AND ${FIRST_OF_LANE}
         ORDER BY ${LAST_SERVED} NULLS FIRST, priority DESC, number
         LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       UPDATE jobs SET state = 'running', runner = $1, attempts = attempts + 1,
         started_at = clock_timestamp(), heartbeat_at = clock_timestamp()
       FROM next WHERE jobs.id = next.id RETURNING ${COLUMNS}`,
      [runner, kinds],
    );
    return row && toJob(row);
  }

  async beat(
    beats: readonly JobBeat[],
  ): Promise<readonly { readonly id: JobId; readonly cancelRequested: boolean }[]> {
    if (beats.length === 0) return [];
    // In the order of their ids, so that no two statements wait for each other.
    const rows = await this.#database.query<{ id: JobId; cancelRequested: boolean }>(
      `WITH reported AS (
         SELECT jobs.id, given.stage, given.progress FROM jobs
         JOIN unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::float8[])
           AS given (id, runner, attempts, stage, progress)
           ON jobs.id = given.id AND jobs.runner = given.runner AND jobs.attempts = given.attempts
         WHERE state = 'running' ORDER BY jobs.id FOR UPDATE OF jobs
       )
       UPDATE jobs SET heartbeat_at = clock_timestamp(), stage = reported.stage,
         progress = greatest(jobs.progress, reported.progress)
       FROM reported WHERE jobs.id = reported.id
       RETURNING jobs.id, cancel_requested AS "cancelRequested"`,
      [
        beats.map(({ id }) => id),
        beats.map(({ runner }) => runner),
        beats.map(({ attempts }) => attempts),
        beats.map(({ stage }) => withoutNul(stage)),
        beats.map(({ progress }) => progress),
      ],
    );
    return rows;
  }

  wishes(
    runner: string,
  ): Promise<readonly { readonly id: JobId; readonly cancelRequested: boolean }[]> {
    return this.#database.query<{ id: JobId; cancelRequested: boolean }>(
      `SELECT id, cancel_requested AS "cancelRequested" FROM jobs
       WHERE runner = $1 AND state = 'running'`,
      [runner],
    );
  }

  complete(attempt: Attempt, result: unknown): Promise<boolean> {
    return this.#settle(
      attempt,
      `state = 'completed', progress = 100, result = $4, error = NULL,
       finished_at = clock_timestamp()`,
      [JSON.stringify(result ?? null)],
    );
  }

  fail(attempt: Attempt, error: JobError, retryInMs: number | undefined): Promise<boolean> {
    return retryInMs === undefined
      ? this.#settle(attempt, "state = 'failed', error = $4, finished_at = clock_timestamp()", [
          JSON.stringify(error),
        ])
      : this.#settle(attempt, `${AGAIN}, error = $4, not_before = ${inMs("$5")}`, [
          JSON.stringify(error),
          retryInMs,
        ]);
  }

  wait(
    attempt: Attempt,
    error: JobError,
    { inMs: pauseMs, stage }: { readonly inMs: number; readonly stage: string },
  ): Promise<boolean> {
    const waits = `${AGAIN}, max_attempts = max_attempts + 1, stage = $6`;
    return this.#settle(attempt, `${waits}, error = $4, not_before = ${inMs("$5")}`, [
      JSON.stringify(error),
      pauseMs,
      stage,
    ]);
  }

  cancel(attempt: Attempt): Promise<boolean> {
    return this.#settle(attempt, "state = 'canceled', finished_at = clock_timestamp()");
  }

  release(attempt: Attempt): Promise<boolean> {
    return this.#settle(attempt, `${AGAIN}, attempts = attempts - 1`);
  }

  async requestCancel(id: JobId): Promise<Job> {
    const [row] = await this.#database.query<StoredJob>(
      `UPDATE jobs SET
         cancel_requested = cancel_requested OR finished_at IS NULL,
         state = CASE state WHEN 'queued' THEN 'canceled' ELSE state END,
         finished_at = CASE state WHEN 'queued' THEN clock_timestamp() ELSE finished_at END
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [id],
    );
    if (row === undefined) throw new DomainError("JOB_NOT_FOUND", id);
    return toJob(row);
  }

  async requeueLost(silentMs: number, error: JobError): Promise<number> {
    const rows = await this.#database.query(
      `WITH lost AS (
         SELECT id, CASE
           WHEN cancel_requested THEN 'canceled'
           WHEN attempts >= max_attempts THEN 'failed' ELSE 'queued' END AS next
         FROM jobs WHERE state = 'running' AND heartbeat_at <= ${inMs("-$1")}
         ORDER BY id FOR UPDATE SKIP LOCKED
       )
       UPDATE jobs SET runner = NULL, heartbeat_at = NULL, state = lost.next,
         error = CASE lost.next WHEN 'failed' THEN $2::json ELSE error END,
         finished_at = CASE lost.next WHEN 'queued' THEN NULL ELSE clock_timestamp() END
       FROM lost WHERE jobs.id = lost.id RETURNING jobs.id`,
      [silentMs, JSON.stringify(error)],
    );
    return rows.length;
  }

  expire(beforeMs: number): Promise<boolean> {
    return expireRows(
      this.#database,
      {
        table: "jobs",
        old: "aged.finished_at < to_timestamp($1::float8 / 1000)",
        order: "finished_at",
      },
      [beforeMs],
    );
  }

  /** Changes the row of a running attempt; false where there is none. */
  async #settle(
    { id, runner, attempts }: Attempt,
    change: string,
    values: readonly SqlValue[] = [],
  ): Promise<boolean> {
    const rows = await this.#database.query(
      `UPDATE jobs SET runner = NULL, heartbeat_at = NULL, ${change} WHERE ${MINE} RETURNING id`,
      [id, runner, attempts, ...values],
    );
    return rows.length > 0;
  }
}

async function addOrJoin(
  transaction: Queryable,
  job: NewJob,
): Promise<{ readonly job: Job; readonly joined: boolean }> {
  // A job of this key may end between the insertion that conflicts with it and the read of it.
  for (;;) {
    const completed = await findCompleted(transaction, job);
    if (completed !== undefined) return { job: completed, joined: true };
    const [added] = await transaction.query<StoredJob>(
      `WITH counted AS (
         UPDATE counters SET value = value + 1 WHERE name = 'job_number' RETURNING value
       )
       INSERT INTO jobs (id, number, kind, project_id, input, dedupe_key, lane, priority, work_units,
         state, attempts, max_attempts, stage, progress, cancel_requested, created_at, not_before)
       SELECT $1, value, $2, $3, $4, $5, $6, $7, $8, 'queued', 0, $9, '', 0, false, clock_timestamp(),
         clock_timestamp() FROM counted
       ON CONFLICT (dedupe_key) WHERE state IN ('queued', 'running') AND NOT cancel_requested
         DO NOTHING
       RETURNING ${COLUMNS}`,
      [
        job.id,
        job.kind,
        job.projectId ?? null,
        JSON.stringify(job.input ?? null),
        job.dedupeKey ?? null,
        job.lane ?? null,
        job.priority,
        job.workUnits,
        job.maxAttempts,
      ],
    );
    if (added !== undefined) return { job: toJob(added), joined: false };
    const met = await findOpen(transaction, job);
    if (met !== undefined) return { job: met, joined: true };
  }
}

async function findOpen(
  database: Queryable,
  { dedupeKey }: Pick<NewJob, "dedupeKey">,
): Promise<Job | undefined> {
  if (dedupeKey === undefined) return undefined;
  const [row] = await database.query<StoredJob>(
    `SELECT ${COLUMNS} FROM jobs
     WHERE dedupe_key = $1 AND state IN ('queued', 'running') AND NOT cancel_requested`,
    [dedupeKey],
  );
  return row && toJob(row);
}

async function findCompleted(
  database: Queryable,
  { dedupeKey, joinCompletedMs }: Pick<NewJob, "dedupeKey" | "joinCompletedMs">,
): Promise<Job | undefined> {
  if (dedupeKey === undefined) return undefined;
  const [row] = await database.query<StoredJob>(
    `SELECT ${COLUMNS} FROM jobs
     WHERE dedupe_key = $1 AND state = 'completed' AND finished_at > ${inMs("-$2")}
     ORDER BY finished_at DESC LIMIT 1`,
    [dedupeKey, joinCompletedMs],
  );
  return row && toJob(row);
}
