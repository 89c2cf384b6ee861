import type { CaptureId } from "../../../domain/ids.ts";
import { captureFolder } from "../../../domain/sites/capture.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";

/**
 * Where one attempt at a capture puts what it leaves in the file store, without a slash at the end: for
 * `storeProducts`. An attempt that was paused and lost its job to another must not touch its files; those
 * of attempts that lost are deleted.
 */
export const attemptFolder = (id: CaptureId, { attempts }: Pick<Job, "attempts">): string =>
  `${captureFolder(id)}${attempts}`;
