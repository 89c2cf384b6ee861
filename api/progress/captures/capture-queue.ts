import type { Capture } from "../../../domain/sites/capture.ts";
import { captureJob } from "../../../processing/progress/capture/capture-request.ts";
import type { NewJob } from "../../../storage/ports/platform/jobs.ts";
import type { JobForecast } from "../../job-views/job-forecast.ts";

/**
 * Captures of a project that wait at most: 125 MB of addresses, were all of them as long as can be. More would
 * let one project take the space of others, fewer would refuse a backlog of a month.
 */
const MOST_WAITING = 250;
/**
 * Longest work before a new capture, s. A capture is not urgent, but a week is too long; less refuses
 * flights of several sites on one evening.
 */
const LONGEST_WAIT_S = 86_400;
/**
 * A refused client is asked to wait so long, s: less brings it back to a full queue, more leaves places
 * empty.
 */
const PAUSE_S = { least: 5, most: 3_600 };

/** A capture before it is known when it will be done. */
export type DraftCapture = Omit<Capture, "estimated_completion">;

/** Captures on their way into the queue. */
export interface CaptureQueue {
  /**
   * Stores a capture and adds the work on it, while the queue is short enough; yields the seconds after
   * which it may be, and the reason, where it is not. `store` stores both in one transaction; what it
   * yields is yielded.
   */
  enter<Stored>(
    draft: DraftCapture,
    images: readonly string[],
    store: (capture: Capture, job: NewJob) => Promise<Stored>,
  ): Promise<{ readonly stored: Stored } | { readonly retryInS: number; readonly reason: string }>;
}

/** Requests are checked one at a time, as for measurements; another process may admit one more meanwhile. */
export function createCaptureQueue(forecast: JobForecast, now: () => number): CaptureQueue {
  let last: Promise<unknown> = Promise.resolve();

  async function pass<Stored>(
    draft: DraftCapture,
    images: readonly string[],
    store: (capture: Capture, job: NewJob) => Promise<Stored>,
  ) {
    const job = captureJob(draft, images);
    const { leftS, waitS, queued } = await forecast.ofNew(job);
    if (waitS > LONGEST_WAIT_S) {
      return { retryInS: pause(waitS - LONGEST_WAIT_S), reason: "More than 24 h of work" };
    }
    if (queued >= MOST_WAITING) {
      return { retryInS: pause(waitS / queued), reason: `${MOST_WAITING} captures of the project` };
    }
    const completionMs = now() + Math.ceil(leftS * 1_000);
    const capture = { ...draft, estimated_completion: new Date(completionMs).toISOString() };
    return { stored: await store(capture, job) };
  }

  return {
    enter(draft, images, store) {
      const passed = last.then(() => pass(draft, images, store));
      last = passed.catch(() => undefined);
      return passed;
    },
  };
}

const pause = (seconds: number): number =>
  Math.min(PAUSE_S.most, Math.max(PAUSE_S.least, Math.ceil(seconds)));
