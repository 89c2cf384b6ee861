import type { Capture } from "../../domain/capture.ts";
import { captureJob } from "../../processing/progress/capture/capture-request.ts";
import type { CaptureRecords } from "../../storage/ports/captures.ts";
import type { JobRecords } from "../../storage/ports/jobs.ts";
import type { CaptureForecast } from "./capture-forecast.ts";

/** Captures that wait at most, in all projects: 500 MB of addresses, were all of them as long as can be. Chosen. */
const MOST_WAITING = 1_000;
/** Longest work before a new capture, s. A capture does not hurry, but nobody waits for a week. Chosen. */
const LONGEST_WAIT_S = 86_400;
/** A refused client is asked to wait so long, s. Chosen. */
const PAUSE_S = { least: 5, most: 3_600 };

/** A capture before it is known when it will be done. */
export type DraftCapture = Omit<Capture, "estimated_completion">;

/** Captures on their way into the queue. */
export interface CaptureQueue {
  /**
   * Stores a capture and adds the work on it, while the queue is short enough; yields the seconds after
   * which it may be, and the reason, where it is not. Nothing is left processing when work cannot be added.
   */
  enter(
    draft: DraftCapture,
    images: readonly string[],
  ): Promise<
    { readonly capture: Capture } | { readonly retryInS: number; readonly reason: string }
  >;
}

/** One after the other passes, as in front of measurements; another process may let one more pass meanwhile. */
export function createCaptureQueue(
  captures: Pick<CaptureRecords, "insert" | "fail">,
  jobs: Pick<JobRecords, "add">,
  forecast: CaptureForecast,
  now: () => number,
): CaptureQueue {
  let last: Promise<unknown> = Promise.resolve();

  async function pass(draft: DraftCapture, images: readonly string[]) {
    const job = captureJob(draft, images);
    const { leftS, waitS, queued } = await forecast.ofNew(job);
    if (waitS > LONGEST_WAIT_S) {
      return { retryInS: pause(waitS - LONGEST_WAIT_S), reason: "More than 24 h of work" };
    }
    if (queued >= MOST_WAITING) {
      return { retryInS: pause(waitS / queued), reason: `${MOST_WAITING} captures` };
    }
    const completionMs = now() + Math.ceil(leftS * 1_000);
    const capture = { ...draft, estimated_completion: new Date(completionMs).toISOString() };
    await captures.insert(capture);
    try {
      await jobs.add(job);
    } catch (error) {
      await abandon(capture).catch(() => undefined);
      throw error;
    }
    return { capture };
  }

  /** Where this fails as well, the missing job tells whoever reads the capture. */
  const abandon = ({ id, images }: Capture) =>
    captures.fail(id, {
      error: { code: "TASK_FAILED", message: "the work on it could not be queued" },
      completedAt: new Date(now()).toISOString(),
      images,
    });

  return {
    enter(draft, images) {
      const passed = last.then(() => pass(draft, images));
      last = passed.catch(() => undefined);
      return passed;
    },
  };
}

const pause = (seconds: number): number =>
  Math.min(PAUSE_S.most, Math.max(PAUSE_S.least, Math.ceil(seconds)));
