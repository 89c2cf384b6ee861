import { waitingTimeS } from "../../../processing/queue/waiting-time.ts";
import type { Job, JobRecords, NewJob } from "../../../storage/ports/platform/jobs.ts";

/** Longest wait for the first touch of a new measurement, s (docs/stockpiles.md). */
const LONGEST_WAIT_S = 600;
/**
 * A refused client is asked to wait so long at least, s: less brings it back before the queue has moved,
 * more leaves the queue idle.
 */
const SHORTEST_PAUSE_S = 5;

/** Measurements on their way into the queue. */
export interface MeasureQueue {
  /**
   * Joins a job of the same key, always; adds a new one while the queue is short enough, and yields the
   * seconds after which that may be so where it is not. `add` is `JobRecords.add`, or calls it.
   */
  enter(
    job: NewJob,
    add: (job: NewJob) => Promise<Job>,
  ): Promise<{ readonly job: Job } | { readonly retryInS: number }>;
}

/**
 * Admission control for so many jobs at once; projects take turns. Requests are checked one at a time, so
 * that simultaneous ones see each other. Another process may admit one more at the same moment.
 */
export function createMeasureQueue(
  jobs: Pick<JobRecords, "joinable" | "load">,
  jobsAtOnce: number,
): MeasureQueue {
  let last: Promise<unknown> = Promise.resolve();

  async function pass(job: NewJob, add: (job: NewJob) => Promise<Job>) {
    if ((await jobs.joinable(job)) !== undefined) return { job: await add(job) };
    const waitS = waitingTimeS(await jobs.load({ before: job }), jobsAtOnce);
    if (waitS > LONGEST_WAIT_S) {
      return { retryInS: Math.max(SHORTEST_PAUSE_S, Math.ceil(waitS - LONGEST_WAIT_S)) };
    }
    return { job: await add(job) };
  }

  return {
    enter(job, add) {
      const passed = last.then(() => pass(job, add));
      last = passed.catch(() => undefined);
      return passed;
    },
  };
}
