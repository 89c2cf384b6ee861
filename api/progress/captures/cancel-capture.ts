import { DomainError } from "../../../domain/errors.ts";
import type { JobId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { Capture } from "../../../domain/sites/capture.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { CANCELLATION } from "./capture-failure.ts";
import type { CaptureStatuses } from "./capture-status.ts";

/**
 * Ends a capture that is processing, and its job. One that has ended stays as it is. Outside a transaction: to cancel
 * overwrites nothing.
 */
export async function cancelCapture(
  found: Capture,
  records: Pick<RecordStore, "captures" | "jobs">,
  statuses: CaptureStatuses,
  nowMs: number,
): Promise<void> {
  const before = await statuses.of(found);
  if (before.state !== "processing" && before.capture.state !== "processing") return;
  await requestCancel(records.jobs, found.job_id);
  // Its handler finds it ended, and stores nothing.
  await records.captures.fail(found.id, {
    error: before.error ?? CANCELLATION,
    completedAt: before.endedAt ?? isoTime(nowMs),
    images: [],
  });
}

/** One whose job is gone, or was never queued, has nothing to cancel. */
async function requestCancel(
  jobs: Pick<RecordStore["jobs"], "requestCancel">,
  id: JobId,
): Promise<void> {
  try {
    await jobs.requestCancel(id);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "JOB_NOT_FOUND") throw error;
  }
}
