import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { JobId } from "../../domain/ids.ts";
import type { JobError, JobRecords } from "../../storage/ports/platform/jobs.ts";
import { type RunningAttempt, startAttempt } from "./attempt.ts";
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

/** Chosen; `silentMs` outlasts a restart of PostgreSQL. */
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

export interface JobRunner {
  readonly running: number;
  /** Start of the oldest attempt that runs, ms since the Unix epoch; `undefined`: none does. */
  readonly oldestStartMs: number | undefined;
  /** Why no work can be taken now; `undefined` when it can. */
  readonly trouble: string | undefined;
  /** Polls for work and cancellations now: somebody has just added or canceled a job. */
  poke(): void;
  /** Takes no more work, ends what runs and gives it back to the queue. */
  stop(): Promise<void>;
}

/**
 * Runs jobs of the kinds that it has handlers for, so many at once. Any number of runners share a queue. Any
 * of them returns a job whose process is gone to the queue.
 */
export function startJobRunner(options: {
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
}): JobRunner {
  const { jobs, handlers, runner, concurrency, isAlone, log, onEnded } = options;
  const times = { ...TIMES, ...options.times };
  const kinds = [...handlers.keys()];
  const running = new Set<RunningAttempt>();
  const timers: NodeJS.Timeout[] = [];
  let isStopping = false;
  let trouble: string | undefined;
  /** Since when the queue has answered without a break, by `performance.now()`. */
  let answersSinceMs: number | undefined;
  let lastTakeBackMs = Date.now();
  let lastBeatMs = 0;
  let reported = new Map<JobId, string>();

  function noteAnswer(): void {
    trouble = undefined;
    answersSinceMs ??= performance.now();
  }

  function noteFailure(error: unknown): void {
    if (trouble === undefined) log.warn({ err: error }, TROUBLE);
    trouble = TROUBLE;
    answersSinceMs = undefined;
  }

  /** Claims until there is no place or no work. */
  const poll = oneAtATime(async () => {
    while (!isStopping && running.size < concurrency) {
      const job = await jobs.claim(runner, kinds);
      noteAnswer();
      if (job === undefined) return;
      const handler = handlers.get(job.kind);
      if (handler === undefined) throw new Error(`no handler for ${job.kind}`);
      // Taken from us while the queue could not be reached, and now given to us again.
      const earlier = [...running].filter((attempt) => attempt.job.id === job.id);
      for (const attempt of earlier) attempt.end("lost");
      const after = earlier.at(-1)?.done;
      const attempt = startAttempt({ job, runner, handler, jobs, log, after });
      running.add(attempt);
      void attempt.done.then(() => {
        running.delete(attempt);
        onEnded?.(job.id);
        poll();
      });
      if (isStopping) attempt.end("stopped");
    }
  }, noteFailure);

  /** Reports the jobs' progress when that is due, and reads which are to be canceled. */
  const watch = oneAtATime(async () => {
    const attempts = [...running];
    if (attempts.length === 0) return;
    const beats = attempts.map(({ beat }) => beat);
    const now = new Map(beats.map(({ id, stage, progress }) => [id, `${stage} ${progress}`]));
    const sinceMs = performance.now() - lastBeatMs;
    const isChanged = [...now].some(([id, text]) => reported.get(id) !== text);
    const isDue = sinceMs >= times.beatMs * (isChanged ? 1 : 3);
    const wishes = await (isDue ? jobs.beat(beats) : jobs.wishes(runner));
    noteAnswer();
    if (isDue) {
      lastBeatMs = performance.now();
      reported = now;
    }
    const cancelById = new Map(wishes.map(({ id, cancelRequested }) => [id, cancelRequested]));
    for (const attempt of attempts) {
      const isWished = cancelById.get(attempt.job.id);
      if (isWished === true) attempt.end("canceled");
      // One that ended meanwhile is missing too, and does not mind.
      else if (isWished === undefined) attempt.end("lost");
    }
  }, noteFailure);

  /**
   * Whether others had the time to report that they live: not where the database has just come back, or where
   * this machine, and theirs with it, has just resumed from a pause.
   */
  function isFair(): boolean {
    const graceMs = times.silentMs / 2;
    const wasAsleep = Date.now() - lastTakeBackMs > graceMs;
    lastTakeBackMs = Date.now();
    if (wasAsleep) answersSinceMs = undefined;
    return answersSinceMs !== undefined && performance.now() - answersSinceMs >= graceMs;
  }

  const takeBack = oneAtATime(async () => {
    const isTime = isFair();
    // Ours live, however old their last sign is by the database's clock.
    await jobs.beat([...running].map(({ beat }) => beat));
    if (!isTime) return;
    const count = await jobs.requeueLost(times.silentMs, LOST);
    if (count === 0) return;
    log.warn({ count }, "jobs of a process that is gone were requeued");
    poll();
  }, noteFailure);

  async function begin(): Promise<void> {
    if (isAlone) await jobs.requeueLost(0, LOST);
  }

  const every = (ms: number, work: () => void) => timers.push(setInterval(work, ms));
  if (kinds.length > 0) {
    const begun = begin().catch((error: unknown) =>
      log.warn({ err: error }, "jobs of the last run could not be requeued yet"),
    );
    void begun.then(() => {
      if (isStopping) return;
      every(times.pollMs, poll);
      every(times.watchMs, watch);
      every(times.silentMs / 4, takeBack);
      poll();
    });
  }

  return {
    get oldestStartMs() {
      const [oldest] = [...running].map(({ startedAtMs }) => startedAtMs).toSorted((a, b) => a - b);
      return oldest;
    },
    get running() {
      return running.size;
    },
    get trouble() {
      return trouble;
    },
    poke() {
      poll();
      watch();
    },
    async stop() {
      isStopping = true;
      for (const timer of timers) clearInterval(timer);
      for (const attempt of running) attempt.end("stopped");
      const patience = new AbortController();
      await Promise.race([
        // A job that is being claimed is given back, too.
        poll.idle().then(() => Promise.all([...running].map(({ done }) => done))),
        delay(times.stopMs, undefined, { signal: patience.signal }).catch(() => undefined),
      ]);
      patience.abort();
    },
  };
}
