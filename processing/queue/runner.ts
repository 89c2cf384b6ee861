import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { JobId } from "../../domain/ids.ts";
import type { JobError, JobRecords } from "../../storage/ports/platform/jobs.ts";
import { RunningAttempt } from "./attempt.ts";
import type { JobHandlers } from "./job-handler.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** How often the runner does what, ms. */
export interface RunnerTimes {
  /** Polls for work that was not announced to it. */
  readonly pollMs: number;
  /** Polls whether a job that it runs is to be canceled; the job ends within 1 s, all steps included. */
  readonly watchMs: number;
  /** Reports the progress of jobs when it has changed, and a sign of life at the latest after three of these. */
  readonly beatMs: number;
  /** A job without a sign of life for so long has lost its process. */
  readonly silentMs: number;
  /** How long a stop waits for handlers to end. */
  readonly stopMs: number;
}

/**
 * Shorter polls, watches and beats start, cancel and show jobs sooner for more reads of the queue. `silentMs`
 * outlasts a restart of PostgreSQL: less takes jobs from processes that live, more leaves a dead one's waiting.
 */
const TIMES: RunnerTimes = {
  pollMs: 1_000,
  watchMs: 200,
  beatMs: 1_000,
  silentMs: 20_000,
  stopMs: 8_000,
};

const LOST: JobError = {
  code: "TASK_FAILED",
  message: "the process that ran the job ended, at every attempt",
};

const TROUBLE = "the job queue does not answer";

export interface JobRunnerOptions {
  readonly jobs: JobRecords;
  readonly handlers: JobHandlers;
  /** Distinguishes this process from all others, also from the one before it. */
  readonly runner: string;
  readonly concurrency: number;
  /** No other process uses this queue: what runs at the start is a dead process's. */
  readonly isAlone: boolean;
  readonly log: Logger;
  /** Called with every attempt that has ended, once the queue has stored it. Never waits. */
  readonly onEnded?: (id: JobId) => void;
  readonly times?: Partial<RunnerTimes>;
}

/**
 * Runs jobs of the kinds that it has handlers for, so many at once, from its construction on. Any number of
 * runners share a queue. Any of them returns a job whose process is gone to the queue.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #times: RunnerTimes;
  readonly #kinds: readonly string[];
  readonly #attempts = new Set<RunningAttempt>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #poll = oneAtATime(
    () => this.#claimAll(),
    (error) => this.#noteFailure(error),
  );
  readonly #watch = oneAtATime(
    () => this.#reportAndCancel(),
    (error) => this.#noteFailure(error),
  );
  readonly #takeBack = oneAtATime(
    () => this.#requeueLost(),
    (error) => this.#noteFailure(error),
  );
  #isStopping = false;
  #trouble: string | undefined;
  /** Since when the queue has answered without a break, by `performance.now()`. */
  #answersSinceMs: number | undefined;
  #lastTakeBackMs = Date.now();
  #lastBeatMs = 0;
  #reported = new Map<JobId, string>();

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#kinds = [...options.handlers.keys()];
    if (this.#kinds.length > 0) void this.#start();
  }

  get running(): number {
    return this.#attempts.size;
  }

  /** Start of the oldest attempt that runs, ms since the Unix epoch; `undefined`: none does. */
  get oldestStartMs(): number | undefined {
    const starts = [...this.#attempts].map(({ startedAtMs }) => startedAtMs);
    return starts.toSorted((a, b) => a - b)[0];
  }

  /** Why no work can be taken now; `undefined` when it can. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Polls for work and cancellations now: somebody has just added or canceled a job. */
  poke(): void {
    this.#poll();
    this.#watch();
  }

  /** Takes no more work, ends what runs and gives it back to the queue. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const attempt of this.#attempts) attempt.end("stopped");
    const patience = new AbortController();
    await Promise.race([
      // A job that is being claimed is given back, too.
      this.#poll.idle().then(() => Promise.all([...this.#attempts].map(({ done }) => done))),
      delay(this.#times.stopMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
  }

  async #start(): Promise<void> {
    const { isAlone, jobs, log } = this.#options;
    try {
      if (isAlone) await jobs.requeueLost(0, LOST);
    } catch (error) {
      log.warn({ err: error }, "jobs of the last run could not be requeued yet");
    }
    // Not before the constructor has returned.
    await undefined;
    if (this.#isStopping) return;
    const { pollMs, watchMs, silentMs } = this.#times;
    this.#timers.push(setInterval(this.#poll, pollMs), setInterval(this.#watch, watchMs));
    this.#timers.push(setInterval(this.#takeBack, silentMs / 4));
    this.#poll();
  }

  #noteAnswer(): void {
    this.#trouble = undefined;
    this.#answersSinceMs ??= performance.now();
  }

  #noteFailure(error: unknown): void {
    if (this.#trouble === undefined) this.#options.log.warn({ err: error }, TROUBLE);
    this.#trouble = TROUBLE;
    this.#answersSinceMs = undefined;
  }

  /** Claims until there is no place or no work. */
  async #claimAll(): Promise<void> {
    const { jobs, handlers, runner, concurrency, log, onEnded } = this.#options;
    while (!this.#isStopping && this.#attempts.size < concurrency) {
      const job = await jobs.claim(runner, this.#kinds);
      this.#noteAnswer();
      if (job === undefined) return;
      const handler = handlers.get(job.kind);
      if (handler === undefined) throw new Error(`no handler for ${job.kind}`);
      // Taken from us while the queue could not be reached, and now given to us again.
      const earlier = [...this.#attempts].filter((attempt) => attempt.job.id === job.id);
      for (const attempt of earlier) attempt.end("lost");
      const after = earlier.at(-1)?.done;
      const attempt = new RunningAttempt({ job, runner, handler, jobs, log, after });
      this.#attempts.add(attempt);
      void attempt.done.then(() => {
        this.#attempts.delete(attempt);
        onEnded?.(job.id);
        this.#poll();
      });
      if (this.#isStopping) attempt.end("stopped");
    }
  }

  /** Reports the jobs' progress when that is due, and reads which are to be canceled. */
  async #reportAndCancel(): Promise<void> {
    const { jobs, runner } = this.#options;
    const attempts = [...this.#attempts];
    if (attempts.length === 0) return;
    const beats = attempts.map(({ beat }) => beat);
    const now = new Map(beats.map(({ id, stage, progress }) => [id, `${stage} ${progress}`]));
    const sinceMs = performance.now() - this.#lastBeatMs;
    const isChanged = [...now].some(([id, text]) => this.#reported.get(id) !== text);
    const isDue = sinceMs >= this.#times.beatMs * (isChanged ? 1 : 3);
    const wishes = await (isDue ? jobs.beat(beats) : jobs.wishes(runner));
    this.#noteAnswer();
    if (isDue) {
      this.#lastBeatMs = performance.now();
      this.#reported = now;
    }
    const cancelById = new Map(wishes.map(({ id, cancelRequested }) => [id, cancelRequested]));
    for (const attempt of attempts) {
      const isWished = cancelById.get(attempt.job.id);
      if (isWished === true) attempt.end("canceled");
      // One that ended meanwhile is missing too, and does not mind.
      else if (isWished === undefined) attempt.end("lost");
    }
  }

  async #requeueLost(): Promise<void> {
    const { jobs, log } = this.#options;
    const isTime = this.#isFair();
    // Ours live, however old their last sign is by the database's clock.
    await jobs.beat([...this.#attempts].map(({ beat }) => beat));
    if (!isTime) return;
    const count = await jobs.requeueLost(this.#times.silentMs, LOST);
    if (count === 0) return;
    log.warn({ count }, "jobs of a process that is gone were requeued");
    this.#poll();
  }

  /**
   * Whether others had the time to report that they live: not where the database has just come back, or where
   * this machine, and theirs with it, has just resumed from a pause.
   */
  #isFair(): boolean {
    const graceMs = this.#times.silentMs / 2;
    const wasAsleep = Date.now() - this.#lastTakeBackMs > graceMs;
    this.#lastTakeBackMs = Date.now();
    if (wasAsleep) this.#answersSinceMs = undefined;
    return (
      this.#answersSinceMs !== undefined && performance.now() - this.#answersSinceMs >= graceMs
    );
  }
}
