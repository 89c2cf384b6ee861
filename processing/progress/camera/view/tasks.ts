import { READ_BYTES, READ_MS } from "../../../images/files/image-limits.ts";
import { BASE_BYTES, declareTask, SHORT_MS } from "../../../pool/task.ts";
import type { DrawViewInput } from "./draw-view.ts";
import type { ReadReferenceInput, ReferenceView } from "./read-reference.ts";

export const READ_REFERENCE = declareTask<ReadReferenceInput, ReferenceView>(
  import.meta.url,
  "read-reference",
  { timeMs: READ_MS, memoryBytes: () => READ_BYTES },
);

export const DRAW_VIEW = declareTask<DrawViewInput, Uint8Array>(import.meta.url, "draw-view", {
  timeMs: SHORT_MS,
  memoryBytes: () => 2 * BASE_BYTES,
});
