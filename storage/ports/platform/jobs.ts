import type { JobId, ProjectId } from "../../../domain/ids.ts";

/**
 * States of a job:
 * queued -> running           by `claim`, once `notBeforeMs` has passed
 * running -> completed        by `complete`
 * running -> queued           by `fail` with a pause, by `wait`, by `release`, by `requeueLost`; canceled instead
 *                             where that was requested
 * running -> failed           by `fail` without a pause, by `requeueLost` after the last attempt
 * queued | running -> canceled  by `requestCancel` (queued at once), then `cancel`
 * Completed, failed and canceled are final. Only the attempt that runs a job may write to it.
 */
export type JobState = "queued" | "running" | "completed" | "failed" | "canceled";

/** Why a job failed, in words for the client. */
export interface JobError {
  /** An `ErrorCode`. */
  readonly code: string;
  readonly message: string;
  /** JSON; what a gate found, where a gate refused. */
  readonly details?: unknown;
}

export interface NewJob {
  readonly id: JobId;
  /** Which handler it is for. */
  readonly kind: string;
  readonly projectId: ProjectId | undefined;
  /** JSON. */
  readonly input: unknown;
  /** Jobs of one key are one job: a second one joins the first. */
  readonly dedupeKey: string | undefined;
  /**
   * Jobs of one lane run one at a time, in the order they were added; `undefined`: of none. Priority
   * does not overtake in a lane, and one that waits for its next attempt keeps those behind it waiting.
   */
  readonly lane: string | undefined;
  /** How long a completed job of the same key is joined, ms. */
  readonly joinCompletedMs: number;
  /** Higher goes first within its project; within one priority the oldest. Lanes go before it. */
  readonly priority: number;
  readonly maxAttempts: number;
  /** How much work it is, in a unit of its kind (images); for estimates of the waiting time. */
  readonly workUnits: number;
}

export interface Job {
  readonly id: JobId;
  readonly kind: string;
  readonly projectId: ProjectId | undefined;
  readonly input: unknown;
  readonly dedupeKey: string | undefined;
  readonly lane: string | undefined;
  readonly priority: number;
  readonly workUnits: number;
  readonly state: JobState;
  /** Attempts begun; 1 while the first one runs. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Who runs it; `undefined` unless it is running. */
  readonly runner: string | undefined;
  readonly stage: string;
  /** 0 to 100, never falling. */
  readonly progress: number;
  readonly cancelRequested: boolean;
  /** JSON; `undefined` until it is completed. */
  readonly result: unknown;
  /** Of the last attempt that failed. */
  readonly error: JobError | undefined;
  /** Times by the database's clock, ms since the Unix epoch. */
  readonly createdAtMs: number;
  readonly notBeforeMs: number;
  /** Start of the last attempt. */
  readonly startedAtMs: number | undefined;
  readonly finishedAtMs: number | undefined;
}

/** The state of a job, without its input and result: either may be a megabyte. */
export type JobOutline = Omit<Job, "input" | "result">;

/** One attempt at a job: only the attempt that still runs it can change it. */
export interface Attempt {
  readonly id: JobId;
  readonly runner: string;
  /** `Job.attempts` as `claim` yielded it. */
  readonly attempts: number;
}

/** How far one attempt has come. */
export interface JobBeat extends Attempt {
  readonly stage: string;
  readonly progress: number;
}

export interface JobFilter {
  /** Absent: of all projects. */
  readonly projectIds?: readonly ProjectId[];
  readonly kinds?: readonly string[];
  readonly states?: readonly JobState[];
  /** Oldest first. */
  readonly isReversed?: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** The work there is of one kind, and how fast work of that kind has been. */
export interface KindLoad {
  readonly kind: string;
  readonly queued: number;
  readonly running: number;
  /** Units of work that are yet to be done; of running jobs, what their progress leaves. */
  readonly unitsLeft: number;
  /** Mean over the last 20 jobs completed at the first attempt; `undefined` before the first. */
  readonly secondsPerUnit: number | undefined;
}

/** Part of the work there is; the recent speed of kinds is given for all jobs. */
export interface LoadPart {
  /** Of this lane alone. */
  readonly lane?: string;
  /** Of this project alone. */
  readonly projectId?: ProjectId;
  /**
   * Only what goes before this job, or before one that would be added now: older jobs of its lane; of all
   * others those that run, and those whose turn in their own project comes earlier: projects take turns.
   */
  readonly before?: JobId | NewPlace;
}

/** What decides when a new job is worked on. */
export type NewPlace = Pick<NewJob, "projectId" | "lane" | "priority">;

/** Jobs as rows, shared by every process. Timed by the clock of the database alone. */
export interface JobRecords {
  /**
   * Adds a job, or joins one of the same `dedupeKey` that is queued, runs, or was completed within
   * `joinCompletedMs`. One that is to be canceled is not joined.
   */
  add(job: NewJob): Promise<{ readonly job: Job; readonly joined: boolean }>;
  /** The job that `add` would join now; `undefined`: it would add one. */
  joinable(job: Pick<NewJob, "dedupeKey" | "joinCompletedMs">): Promise<Job | undefined>;
  find(id: JobId): Promise<Job | undefined>;
  /** Those of these jobs that there are, in any order. */
  outlines(ids: readonly JobId[]): Promise<readonly JobOutline[]>;
  /**
   * Jobs that are queued or run, and those that finished within `endedWithinMs`; the newest `limit` of each, in any
   * order.
   */
  underway(range: {
    readonly endedWithinMs: number;
    readonly limit: number;
  }): Promise<readonly JobOutline[]>;
  /** Newest first, unless reversed. */
  list(
    filter: JobFilter,
  ): Promise<{ readonly jobs: readonly JobOutline[]; readonly total: number }>;
  /**
   * Takes the next job of these kinds for this runner; `undefined`: there is none now. Projects take turns:
   * the one whose last attempt began longest ago goes first, so that no project's jobs starve another's.
   */
  claim(runner: string, kinds: readonly string[]): Promise<Job | undefined>;
  /**
   * Notes that attempts go on, and how far they have come. Yields those that still run, with the
   * wish to cancel; one that is missing was taken away.
   */
  beat(
    beats: readonly JobBeat[],
  ): Promise<readonly { readonly id: JobId; readonly cancelRequested: boolean }[]>;
  /** The wish to cancel, of jobs that this runner runs; as `beat`, but writes nothing. */
  wishes(
    runner: string,
  ): Promise<readonly { readonly id: JobId; readonly cancelRequested: boolean }[]>;
  /** Ends an attempt with success. False: it was not the running one. So for the next four. */
  complete(attempt: Attempt, result: unknown): Promise<boolean>;
  /** Ends an attempt with a failure: queued again after `retryInMs`, or failed without one. */
  fail(attempt: Attempt, error: JobError, retryInMs: number | undefined): Promise<boolean>;
  /**
   * Ends an attempt that met something that is away: queued again after a pause, with that stage, and with one
   * more attempt than it had.
   */
  wait(
    attempt: Attempt,
    error: JobError,
    pause: { readonly inMs: number; readonly stage: string },
  ): Promise<boolean>;
  /** Ends an attempt because it was to be canceled. */
  cancel(attempt: Attempt): Promise<boolean>;
  /** Gives a job back as if the attempt had never begun; its progress stays. */
  release(attempt: Attempt): Promise<boolean>;
  /**
   * Cancels a queued job, asks the runner of a running one to, and leaves a finished one as it is.
   * @throws DomainError `JOB_NOT_FOUND`.
   */
  requestCancel(id: JobId): Promise<Job>;
  /**
   * Queues the running jobs again whose last sign of life is `silentMs` old: their process is gone.
   * One that was at its last attempt fails with `error`; one that was to be canceled is.
   * Yields how many there were.
   */
  requeueLost(silentMs: number, error: JobError): Promise<number>;
  /** Kinds with work, or with jobs completed, by name; of `part`, only the work that it is about. */
  load(part?: LoadPart): Promise<readonly KindLoad[]>;
  /** Deletes a bounded number of jobs that finished before `beforeMs`, and yields whether more are left. */
  expire(beforeMs: number): Promise<boolean>;
}
