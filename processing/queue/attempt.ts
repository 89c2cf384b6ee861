import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import type { Job, JobBeat, JobRecords } from "../../storage/ports/platform/jobs.ts";
import type { JobHandler } from "./job-handler.ts";
import { failedAttempt } from "./job-outcome.ts";

/** Why an attempt ends before its work does. */
export type EndReason = "canceled" | "lost" | "stopped";

/** One attempt at a job, under way. */
export interface RunningAttempt {
  readonly job: Job;
  /** By this machine's clock, ms since the Unix epoch. */
  readonly startedAtMs: number;
  /** What is reported to the queue. */
  readonly beat: JobBeat;
  /** Resolves when the attempt is over and the queue has stored it; never rejects. */
  readonly done: Promise<void>;
  /** Ends it early; only the first reason counts. */
  end(reason: EndReason): void;
}

/** Pause before the outcome of an attempt is stored again, ms, while the store is away. Chosen. */
const STORE_AGAIN_MS = 500;

export function startAttempt(options: {
  readonly job: Job;
  readonly runner: string;
  readonly handler: JobHandler;
  readonly jobs: JobRecords;
  readonly log: Logger;
  /** An earlier attempt of this process at the same job: the two must not touch the same files. */
  readonly after?: Promise<void> | undefined;
}): RunningAttempt {
  const { job, runner, handler, jobs, log, after } = options;
  const { id, kind, attempts } = job;
  const startedAtMs = Date.now();
  const ending = new AbortController();
  let endReason: EndReason | undefined;
  let beat: JobBeat = { id, runner, attempts, stage: job.stage, progress: job.progress };

  /** The last word on this attempt, as a call of the queue; `undefined`: it is not ours to say. */
  async function work(): Promise<(() => Promise<boolean>) | undefined> {
    const startedMs = performance.now();
    const fields = () => ({
      jobId: id,
      kind,
      attempts,
      ms: Math.round(performance.now() - startedMs),
    });
    try {
      await after;
      ending.signal.throwIfAborted();
      const result = await handler(job, {
        signal: ending.signal,
        progress(stage, percent) {
          // Not a number where a stage divides by how much there is to do, and there is nothing.
          const known = Number.isNaN(percent) ? beat.progress : percent;
          beat = { ...beat, stage, progress: Math.min(100, Math.max(beat.progress, known)) };
        },
      });
      return async () => {
        const isOurs = await jobs.complete(beat, result);
        if (isOurs) log.info(fields(), "job completed");
        else log.warn(fields(), "job was done, but is another runner's by now");
        return isOurs;
      };
    } catch (error) {
      switch (endReason) {
        case "lost":
          log.warn(fields(), "job was taken by another runner");
          return undefined;
        case "canceled":
          log.info(fields(), "job canceled");
          return () => jobs.cancel(beat);
        case "stopped":
          return () => jobs.release(beat);
        case undefined: {
          const failed = failedAttempt(job, error);
          log.warn({ err: error, ...fields(), retryInMs: failed.retryInMs }, "job failed");
          return () => jobs.fail(beat, failed.error, failed.retryInMs);
        }
      }
    }
  }

  /** Retries until the queue takes the outcome; an outcome that cannot be stored at all fails the job. */
  async function storeOutcome(store: () => Promise<boolean>): Promise<void> {
    for (;;) {
      try {
        await store();
        return;
      } catch (error) {
        const isAway = error instanceof DomainError && error.code === "STORE_UNAVAILABLE";
        if (!isAway) {
          log.error({ err: error, jobId: id, kind }, "the outcome of a job cannot be stored");
          const { error: failure } = failedAttempt(job, error);
          await jobs.fail(beat, failure, undefined).catch(() => false);
          return;
        }
        // Without an outcome the job goes back to the queue by itself.
        if (endReason === "lost" || endReason === "stopped") return;
        await delay(STORE_AGAIN_MS);
      }
    }
  }

  const done = work().then((store) => (store === undefined ? undefined : storeOutcome(store)));
  return {
    job,
    startedAtMs,
    get beat() {
      return beat;
    },
    done,
    end(reason) {
      endReason ??= reason;
      ending.abort(new DOMException(`the job was ${endReason}`, "AbortError"));
    },
  };
}
