import { BASE_BYTES, declareTask, LONG_MS } from "../pool/task.ts";
import type { SurveyFacts } from "./survey-facts.ts";

/**
 * Bytes a cell while it is packed: 6 and those of the coarser surface, and up to three copies of what they deflate to.
 * As many as the surface's own file takes (`engine/products/tasks.ts`), so that a survey which could be written is kept.
 */
const PACKING_BYTES = 24;

/** Makes the file that volumes of a survey are computed from later; the surface is to lie on shared memory. */
export const KEEP_BASIS = declareTask<SurveyFacts, Uint8Array>(import.meta.url, "keep-basis", {
  timeMs: LONG_MS,
  memoryBytes: ({ dsm }) => BASE_BYTES + dsm.width * dsm.height * PACKING_BYTES,
});
