import { DomainError } from "../../../domain/errors.ts";
import type { ReportId } from "../../../domain/ids.ts";
import type { Capture, CaptureType } from "../../../domain/sites/capture.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";
import type { CaptureRecords } from "../../../storage/ports/sites/captures.ts";
import type { ProgressReportRecords } from "../../../storage/ports/sites/progress-reports.ts";
import type { JobContext, JobHandler } from "../../queue/job-handler.ts";
import { failedAttempt } from "../../queue/job-outcome.ts";
import { AllImagesRefused } from "../analysis/all-images-refused.ts";
import type { CaptureAnalyser } from "../analysis/analyser.ts";
import { RefusedFlight } from "../flight/refused-flight.ts";
import type { ReportTools } from "../report/report-tools.ts";
import { deleteAttempt, deleteOtherAttempts } from "./capture-files.ts";
import { readCaptureRequest } from "./capture-request.ts";
import { completedCapture } from "./completed-capture.ts";

export interface CaptureJobTools extends ReportTools {
  /** What analyses the images, by type of capture. */
  readonly analysers: Readonly<Record<CaptureType, CaptureAnalyser>>;
  readonly captures: Pick<
    CaptureRecords,
    "find" | "complete" | "fail" | "estimates" | "newestFlight"
  >;
  readonly progressReports: Pick<ProgressReportRecords, "find" | "list">;
}

/** Result of a job of the kind `capture`, as JSON. */
export interface CaptureOutcome {
  readonly captureId: Capture["id"];
  readonly state: Capture["state"];
  readonly reportId: ReportId | undefined;
}

/** Where the analyser ends, % of the job: only the bar of progress depends on it. */
const ANALYSED = 95;

/**
 * Works on jobs whose input is a `CaptureRequest`: has the capture's analyser read the images, makes the
 * report, and stores everything in one transaction. Restarted after a crash at any point it makes the same
 * report and the same events, once. An attempt that fails for good ends the capture with what is wrong, image
 * by image where all were refused. A capture that is over already is left as it is.
 */
export function createCaptureJob(tools: CaptureJobTools): JobHandler {
  const { captures, analysers, workZones, files } = tools;

  async function work(
    capture: Capture,
    job: Job,
    images: readonly string[],
    { signal, progress }: JobContext,
  ): Promise<Capture> {
    const { zones } =
      capture.purpose === "survey"
        ? { zones: [] }
        : await workZones.list({ projectIds: [capture.project_id], offset: 0 });
    const findings = await analysers[capture.capture_type].analyse(
      { job, capture, images, zones },
      {
        signal,
        onProgress: (stage, percent) => progress(stage, (ANALYSED * percent) / 100),
      },
    );
    progress("making the report", ANALYSED);
    const done = await completedCapture(tools, { capture, job, zones, findings }, signal);
    signal.throwIfAborted();
    const stored = await captures.complete(done);
    await deleteOtherAttempts(tools, stored);
    return stored;
  }

  return async (job, context): Promise<CaptureOutcome> => {
    const { captureId, images } = readCaptureRequest(job.input);
    const capture = await captures.find(captureId);
    if (capture === undefined) {
      throw new DomainError("CAPTURE_NOT_FOUND", `no capture "${captureId}"`);
    }
    // An earlier attempt stored it and its process ended before it could say so; or it was canceled.
    if (capture.state !== "processing") return outcomeOf(capture);
    try {
      return outcomeOf(await work(capture, job, images, context));
    } catch (error) {
      const isUnsure = error instanceof DomainError && error.code === "STORE_UNAVAILABLE";
      // With the store unavailable it is not known whether the capture is complete and needs its files.
      if (!isUnsure) await deleteAttempt(files, captureId, job);
      const failed = failedAttempt(job, error);
      // A job that was stopped goes on elsewhere; the canceler ends one that was canceled.
      if (failed.retryInMs === undefined && !context.signal.aborted) {
        await captures.fail(captureId, {
          error: { code: failed.error.code, message: failed.error.message },
          completedAt: new Date().toISOString(),
          images: imagesOf(error),
        });
      }
      throw error;
    }
  };
}

/** What is wrong with each image, where an analyser refused them. */
function imagesOf(error: unknown): Capture["images"] {
  if (error instanceof AllImagesRefused) return error.images;
  return error instanceof RefusedFlight ? error.captureImages : [];
}

const outcomeOf = ({ id, state, report_id }: Capture): CaptureOutcome => ({
  captureId: id,
  state,
  reportId: report_id,
});
