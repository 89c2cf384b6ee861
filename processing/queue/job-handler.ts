import type { Job } from "../../storage/ports/platform/jobs.ts";

/** What a handler has while it works on a job. */
export interface JobContext {
  /** Fires when the job is canceled, is somebody else's by now, or the process stops. */
  readonly signal: AbortSignal;
  /** Says how far the whole job is, 0 to 100; stored within about a second. */
  progress(stage: string, percent: number): void;
}

/**
 * Works on one job and yields its result as JSON. It may be called again for the same job after a
 * crash, and then goes on where finished stages end.
 * @throws DomainError for the client to read; `DISK_FULL`, `ENGINE_FAILED` and `TASK_FAILED` are tried again,
 * `STORE_UNAVAILABLE` until the store is back, all others are final. Ends soon, by whatever error, once the signal has
 * fired.
 */
export type JobHandler = (job: Job, context: JobContext) => Promise<unknown>;

/** Handlers by kind of job. */
export type JobHandlers = ReadonlyMap<string, JobHandler>;
