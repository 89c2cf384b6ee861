import type { CaptureId } from "../../../domain/ids.ts";
import { type Capture, captureFolder } from "../../../domain/sites/capture.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";
import type { CaptureRecords } from "../../../storage/ports/sites/captures.ts";
import type { ProgressReportRecords } from "../../../storage/ports/sites/progress-reports.ts";
import { attemptFolder } from "../analysis/attempt-folder.ts";

/** Deletes what one attempt left. Never throws: the capture is over, or not, whatever stays behind. */
export async function deleteAttempt(
  files: FileStore,
  id: CaptureId,
  job: Pick<Job, "attempts">,
): Promise<void> {
  await deleteAll(files, `${attemptFolder(id, job)}/`, () => true);
}

/**
 * Deletes what other attempts than the one that completed a capture left, also those whose processes were
 * killed: all folders of attempts in which nothing lies that the capture or its report names; all of them,
 * where it was canceled meanwhile. Never throws.
 */
export async function deleteOtherAttempts(
  {
    files,
    progressReports,
  }: {
    readonly files: FileStore;
    readonly progressReports: Pick<ProgressReportRecords, "find">;
  },
  capture: Awaited<ReturnType<CaptureRecords["complete"]>>,
): Promise<void> {
  const folder = captureFolder(capture.id);
  const attempt = (key: string) => /^[0-9]+\//.exec(key.slice(folder.length))?.[0];
  try {
    const kept = new Set((await namedKeys(progressReports, capture)).map(attempt));
    await deleteAll(files, folder, (key) => {
      const own = attempt(key);
      return own !== undefined && !kept.has(own);
    });
  } catch {
    // The files lie there unused.
  }
}

/** Keys below the capture's folder that are in use. */
async function namedKeys(
  progressReports: Pick<ProgressReportRecords, "find">,
  capture: Capture,
): Promise<readonly string[]> {
  const { products, report_id } = capture;
  const report = report_id && (await progressReports.find(report_id))?.report;
  return [
    ...Object.values(products ?? {}),
    ...(report === undefined ? [] : Object.values(report.images)),
    ...(report?.pictures ?? []).map(({ key }) => key),
  ].filter(
    (value): value is string =>
      typeof value === "string" && value.startsWith(captureFolder(capture.id)),
  );
}

async function deleteAll(
  files: FileStore,
  prefix: string,
  isIdle: (key: string) => boolean,
): Promise<void> {
  try {
    for await (const { key } of files.list(prefix)) if (isIdle(key)) await files.delete(key);
  } catch {
    // The files lie there unused.
  }
}
