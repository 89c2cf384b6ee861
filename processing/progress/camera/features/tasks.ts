import { READ_BYTES, READ_MS } from "../../../images/files/image-limits.ts";
import { declareTask } from "../../../pool/task.ts";
import type { ReadView, ReadViewInput } from "./read-view.ts";

/** A reference view of a fixed camera: edges, weights and luminance of 512 x 256, and blocks of it. */
const REFERENCE_BYTES = 3 * 1024 ** 2;

export const READ_VIEW = declareTask<ReadViewInput, ReadView>(import.meta.url, "read-view", {
  timeMs: READ_MS,
  // The network for zones works (35 MB, and its code) after the decoder has given back what it took.
  memoryBytes: ({ candidates }) => READ_BYTES + candidates.length * REFERENCE_BYTES,
});
