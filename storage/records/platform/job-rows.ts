import type { JobId, ProjectId } from "../../../domain/ids.ts";
import type { Job, JobError, JobOutline, JobState } from "../../ports/platform/jobs.ts";

/** A job's row without its input and result, which may be large. */
export type StoredOutline = {
  readonly id: string;
  readonly kind: string;
  readonly project_id: string | null;
  readonly dedupe_key: string | null;
  readonly lane: string | null;
  readonly priority: number;
  readonly work_units: number;
  readonly state: JobState;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly runner: string | null;
  readonly stage: string;
  readonly progress: number;
  readonly cancel_requested: boolean;
  readonly error: JobError | null;
  readonly created_at_ms: number;
  readonly not_before_ms: number;
  readonly started_at_ms: number | null;
  readonly finished_at_ms: number | null;
};
/** A whole row. */
export type StoredJob = StoredOutline & { readonly input: unknown; readonly result: unknown };

const TIMES = ["created_at", "not_before", "started_at", "finished_at"].map(
  (name) => `(extract(epoch FROM jobs.${name}) * 1000)::bigint AS ${name}_ms`,
);
/** Columns of {@link StoredOutline}. */
export const OUTLINE = `jobs.id, kind, project_id, dedupe_key, lane, priority, work_units, state, attempts,
  max_attempts, runner, stage, progress, cancel_requested, error, ${TIMES.join(", ")}`;
/** Columns of {@link StoredJob}. */
export const COLUMNS = `${OUTLINE}, input, result`;

export const toJob = (row: StoredJob): Job => ({
  ...toOutline(row),
  input: row.input,
  result: row.state === "completed" ? row.result : undefined,
});

export function toOutline(row: StoredOutline): JobOutline {
  return {
    id: row.id as JobId,
    kind: row.kind,
    projectId: (row.project_id as ProjectId | null) ?? undefined,
    dedupeKey: row.dedupe_key ?? undefined,
    lane: row.lane ?? undefined,
    priority: row.priority,
    workUnits: row.work_units,
    state: row.state,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    runner: row.runner ?? undefined,
    stage: row.stage,
    progress: row.progress,
    cancelRequested: row.cancel_requested,
    error: row.error ?? undefined,
    createdAtMs: row.created_at_ms,
    notBeforeMs: row.not_before_ms,
    startedAtMs: row.started_at_ms ?? undefined,
    finishedAtMs: row.finished_at_ms ?? undefined,
  };
}
