import { DomainError } from "../../domain/errors.ts";
import type { JobId } from "../../domain/ids.ts";
import type { Job, JobRecords } from "../../storage/ports/platform/jobs.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** Waits for jobs to end, whichever process works on them. */
export interface JobWatch {
  /**
   * The job once it is completed, failed or canceled; immediately where it already is. A store that is
   * unavailable only delays it.
   * @throws DomainError `JOB_NOT_FOUND`; what `signal` fires with.
   */
  untilOver(id: JobId, signal: AbortSignal): Promise<Job>;
  /** Something has happened to a job in this process: polls it now, where somebody waits for it. */
  poke(id: JobId): void;
}

/**
 * Longest delay until the end of another process's job is seen, ms. Each job waited for costs one read by key in
 * this time; more shows the end later.
 */
const POLL_MS = 500;

type End = { readonly job: Job } | { readonly error: unknown };

/** One job that somebody waits for. */
interface Watched {
  readonly waiting: Set<(end: End) => void>;
  readonly timer: NodeJS.Timeout;
  poll(): void;
}

/** `pollMs`: how often jobs that are waited for are polled. */
export function createJobWatch(jobs: Pick<JobRecords, "find">, pollMs = POLL_MS): JobWatch {
  const watchedById = new Map<JobId, Watched>();

  function watch(id: JobId): Watched {
    const waiting: Watched["waiting"] = new Set();
    const endAll = (end: End) => {
      for (const settle of [...waiting]) settle(end);
    };
    const poll = oneAtATime(
      async () => {
        const job = await jobs.find(id);
        if (job === undefined) endAll({ error: new DomainError("JOB_NOT_FOUND", id) });
        else if (isOver(job)) endAll({ job });
      },
      (error) => {
        const isAway = error instanceof DomainError && error.code === "STORE_UNAVAILABLE";
        if (!isAway) endAll({ error });
      },
    );
    const watched = { waiting, poll, timer: setInterval(poll, pollMs) };
    watchedById.set(id, watched);
    return watched;
  }

  return {
    async untilOver(id, signal) {
      signal.throwIfAborted();
      const { waiting, timer, poll } = watchedById.get(id) ?? watch(id);
      let stop = (): void => undefined;
      let settle = (_end: End): void => undefined;
      const ended = new Promise<End>((resolve) => {
        settle = resolve;
        stop = () => resolve({ error: signal.reason });
      });
      waiting.add(settle);
      signal.addEventListener("abort", stop, { once: true });
      poll();
      try {
        const end = await ended;
        if ("error" in end) throw end.error;
        return end.job;
      } finally {
        signal.removeEventListener("abort", stop);
        waiting.delete(settle);
        if (waiting.size === 0) {
          clearInterval(timer);
          watchedById.delete(id);
        }
      }
    },
    poke: (id) => watchedById.get(id)?.poll(),
  };
}

function isOver({ state }: Job): boolean {
  return state === "completed" || state === "failed" || state === "canceled";
}
