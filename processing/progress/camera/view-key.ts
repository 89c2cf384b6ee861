import type { CaptureId } from "../../../domain/ids.ts";
import { captureFolder } from "../../../domain/sites/capture.ts";

/** Where the picture of a view is kept, as people see it: a JPEG of 1,280 pixels. The same for all attempts. */
export const viewKey = (captureId: CaptureId, imageSha256: string): string =>
  `${captureFolder(captureId)}views/${imageSha256}.jpg`;
