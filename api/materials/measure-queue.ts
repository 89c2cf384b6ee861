import { waitingTimeS } from "../../processing/queue/waiting-time.ts";
import type { Job, JobRecords, NewJob } from "../../storage/ports/jobs.ts";

/** Longest wait for the first touch of a new measurement, s (DESIGN section 5). */
const LONGEST_WAIT_S = 600;
/** A refused client is asked to wait so long at least, s. Chosen. */
const SHORTEST_PAUSE_S = 5;

/** Measurements on their way into the queue. */
export interface MeasureQueue {
  /**
   * Joins a job of the same key, always; adds a new one while the queue is short enough, and yields the
   * seconds after which that may be so where it is not.
   */
  enter(job: NewJob): Promise<{ readonly job: Job } | { readonly retryInS: number }>;
}

/**
 * A queue in front of so many jobs at once. One after the other passes, so that many who come at once are
 * counted; another process may let one more pass at the same moment.
 */
export function createMeasureQueue(
  jobs: Pick<JobRecords, "add" | "joinable" | "load">,
  jobsAtOnce: number,
): MeasureQueue {
  let last: Promise<unknown> = Promise.resolve();

  async function pass(job: NewJob) {
    const met = await jobs.joinable(job);
    if (met !== undefined) return { job: met };
    const waitS = waitingTimeS(await jobs.load(), jobsAtOnce);
    if (waitS > LONGEST_WAIT_S) {
      return { retryInS: Math.max(SHORTEST_PAUSE_S, Math.ceil(waitS - LONGEST_WAIT_S)) };
    }
    return { job: (await jobs.add(job)).job };
  }

  return {
    enter(job) {
      const passed = last.then(() => pass(job));
      last = passed.catch(() => undefined);
      return passed;
    },
  };
}
