import { declareTask } from "../../pool/task.ts";
import { MAX_IMAGE_BYTES, READ_BYTES, READ_MS } from "../files/image-limits.ts";

export interface ThumbnailInput {
  /** The file; in shared memory it is not copied on its way to the thread. */
  readonly content: Uint8Array;
  readonly widthPx: number;
}

/** Makes an image small. */
export const MAKE_THUMBNAIL = declareTask<ThumbnailInput, Uint8Array>(
  import.meta.url,
  "make-thumbnail",
  { timeMs: READ_MS, memoryBytes: () => READ_BYTES + MAX_IMAGE_BYTES },
);
