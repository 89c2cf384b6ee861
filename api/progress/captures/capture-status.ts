import { DomainError } from "../../../domain/errors.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { Capture } from "../../../domain/sites/capture.ts";
import type { JobOutline, JobRecords } from "../../../storage/ports/platform/jobs.ts";
import type { CaptureRecords } from "../../../storage/ports/sites/captures.ts";
import { CANCELLATION } from "./capture-failure.ts";

/**
 * How long a capture may be without a job, ms: it is stored first, and the process may end before the job
 * is. Longer than any write takes; more delays the answer that it was lost.
 */
const UNQUEUED_MS = 60_000;

const LOST = { code: "TASK_FAILED", message: "the work on it was lost; send it again" } as const;

/** A capture and its status, which its job may know better. */
export interface CaptureStatus {
  readonly capture: Capture;
  /** The job, as long as it is kept and may add something. */
  readonly job: JobOutline | undefined;
  readonly state: Capture["state"];
  /** As stored, or as the job ended. */
  readonly error: Capture["error"];
  /** ISO 8601; `undefined` while it is processing. */
  readonly endedAt: string | undefined;
}

/** The status of captures now. */
export interface CaptureStatuses {
  of(capture: Capture): Promise<CaptureStatus>;
  /** In their order. */
  ofAll(captures: readonly Capture[]): Promise<readonly CaptureStatus[]>;
}

/**
 * The status of captures. The handler of a capture's job ends the capture before its job ends. Where the job
 * is over and the capture is not, the process was killed too often, somebody canceled the job, or it is gone.
 */
export function createCaptureStatuses(
  captures: Pick<CaptureRecords, "find">,
  jobs: Pick<JobRecords, "outlines">,
  now: () => number,
): CaptureStatuses {
  async function statusOf(found: Capture, job: JobOutline | undefined): Promise<CaptureStatus> {
    if (found.state !== "processing") return ended(found, job);
    if (job?.state === "queued" || job?.state === "running") return open(found, job);
    // It may have ended between the two reads.
    const capture = await captures.find(found.id);
    if (capture === undefined) throw new DomainError("CAPTURE_NOT_FOUND", found.id);
    if (capture.state !== "processing") return ended(capture, job);
    const ageMs = now() - Date.parse(capture.created_at);
    if (job === undefined && ageMs < UNQUEUED_MS) return open(capture, job);
    return {
      capture,
      job,
      state: "failed",
      error: job?.state === "canceled" ? CANCELLATION : (job?.error ?? LOST),
      endedAt: job?.finishedAtMs === undefined ? undefined : isoTime(job.finishedAtMs),
    };
  }

  async function outlineOf({ state, job_id }: Capture): Promise<JobOutline | undefined> {
    // The job of a completed one adds nothing.
    return state === "completed" ? undefined : (await jobs.outlines([job_id]))[0];
  }

  return {
    of: async (capture) => await statusOf(capture, await outlineOf(capture)),
    async ofAll(found) {
      const others = found.filter(({ state }) => state !== "completed");
      const outlines = await jobs.outlines(others.map(({ job_id }) => job_id));
      const jobById = new Map(outlines.map((job) => [job.id, job]));
      return await Promise.all(
        found.map((capture) => statusOf(capture, jobById.get(capture.job_id))),
      );
    },
  };
}

const open = (capture: Capture, job: JobOutline | undefined): CaptureStatus => ({
  capture,
  job,
  state: "processing",
  error: undefined,
  endedAt: undefined,
});

const ended = (capture: Capture, job: JobOutline | undefined): CaptureStatus => ({
  capture,
  job,
  state: capture.state,
  error: capture.error,
  endedAt: capture.completed_at,
});
