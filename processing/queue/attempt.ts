import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import type { Job, JobBeat, JobRecords } from "../../storage/ports/platform/jobs.ts";
import type { JobHandler } from "./job-handler.ts";
import { failedAttempt } from "./job-outcome.ts";

/** Why an attempt ends before its work does. */
export type EndReason = "canceled" | "lost" | "stopped";

/**
 * Pause before the outcome of an attempt is stored again, ms, while the store is away: a job ends later by up to this, and less asks a
 * store that is coming back more often.
 */
const STORE_AGAIN_MS = 500;

export interface AttemptOptions {
  readonly job: Job;
  readonly runner: string;
  readonly handler: JobHandler;
  readonly jobs: JobRecords;
  readonly log: Logger;
  /** An earlier attempt of this process at the same job: the two must not touch the same files. */
  readonly after?: Promise<void> | undefined;
}

/** One attempt at a job, under way from its construction on. */
export class RunningAttempt {
  readonly job: Job;
  /** By this machine's clock, ms since the Unix epoch. */
  readonly startedAtMs = Date.now();
  /** Resolves when the attempt is over and the queue has stored it; never rejects. */
  readonly done: Promise<void>;
  readonly #options: AttemptOptions;
  readonly #ending = new AbortController();
  #endReason: EndReason | undefined;
  #beat: JobBeat;

  constructor(options: AttemptOptions) {
    const { job, runner } = options;
    const { id, attempts, stage, progress } = job;
    this.job = job;
    this.#options = options;
    this.#beat = { id, runner, attempts, stage, progress };
    this.done = this.#work().then((store) =>
      store === undefined ? undefined : this.#storeOutcome(store),
    );
  }

  /** What is reported to the queue. */
  get beat(): JobBeat {
    return this.#beat;
  }

  /** Ends it early; only the first reason counts. */
  end(reason: EndReason): void {
    this.#endReason ??= reason;
    this.#ending.abort(new DOMException(`the job was ${this.#endReason}`, "AbortError"));
  }

  /** The last word on this attempt, as a call of the queue; `undefined`: it is not ours to say. */
  async #work(): Promise<(() => Promise<boolean>) | undefined> {
    const { job, handler, jobs, log, after } = this.#options;
    const startedMs = performance.now();
    const fields = () => ({
      jobId: job.id,
      kind: job.kind,
      attempts: job.attempts,
      ms: Math.round(performance.now() - startedMs),
    });
    try {
      await after;
      this.#ending.signal.throwIfAborted();
      const result = await handler(job, {
        signal: this.#ending.signal,
        progress: (stage, percent) => this.#noteProgress(stage, percent),
      });
      return async () => {
        const isOurs = await jobs.complete(this.#beat, result);
        if (isOurs) log.info(fields(), "job completed");
        else log.warn(fields(), "job was done, but is another runner's by now");
        return isOurs;
      };
    } catch (error) {
      switch (this.#endReason) {
        case "lost":
          log.warn(fields(), "job was taken by another runner");
          return undefined;
        case "canceled":
          log.info(fields(), "job canceled");
          return () => jobs.cancel(this.#beat);
        case "stopped":
          return () => jobs.release(this.#beat);
        case undefined: {
          const { error: failure, retryInMs, waitStage } = failedAttempt(job, error);
          log.warn({ err: error, ...fields(), retryInMs }, "job failed");
          return retryInMs === undefined || waitStage === undefined
            ? () => jobs.fail(this.#beat, failure, retryInMs)
            : () => jobs.wait(this.#beat, failure, { inMs: retryInMs, stage: waitStage });
        }
      }
    }
  }

  #noteProgress(stage: string, percent: number): void {
    const { progress } = this.#beat;
    // Not a number where a stage divides by how much there is to do, and there is nothing.
    const known = Number.isNaN(percent) ? progress : percent;
    this.#beat = { ...this.#beat, stage, progress: Math.min(100, Math.max(progress, known)) };
  }

  /** Retries until the queue takes the outcome; an outcome that cannot be stored at all fails the job. */
  async #storeOutcome(store: () => Promise<boolean>): Promise<void> {
    const { job, jobs, log } = this.#options;
    for (;;) {
      try {
        await store();
        return;
      } catch (error) {
        const isAway = error instanceof DomainError && error.code === "STORE_UNAVAILABLE";
        if (!isAway) {
          const fields = { err: error, jobId: job.id, kind: job.kind };
          log.error(fields, "the outcome of a job cannot be stored");
          const { error: failure } = failedAttempt(job, error);
          await jobs.fail(this.#beat, failure, undefined).catch(() => false);
          return;
        }
        // Without an outcome the job goes back to the queue by itself.
        if (this.#endReason === "lost" || this.#endReason === "stopped") return;
        await delay(STORE_AGAIN_MS);
      }
    }
  }
}
