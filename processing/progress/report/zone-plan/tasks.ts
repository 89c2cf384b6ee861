import { BASE_BYTES, declareTask, LONG_MS } from "../../../pool/task.ts";
import type { ZonePlanFiles, ZonePlanInput } from "./zone-plan.ts";

/** The largest preview of an orthophoto, in its decoder and as pixels. */
const GROUND_BYTES = 3 * 2_048 ** 2 * 4;

export const DRAW_ZONE_PLAN = declareTask<ZonePlanInput, ZonePlanFiles>(
  import.meta.url,
  "draw-zone-plan",
  {
    // A hundred outlines of a thousand corners each take minutes.
    timeMs: LONG_MS,
    memoryBytes: ({ ground }) => 2 * BASE_BYTES + (ground === undefined ? 0 : GROUND_BYTES),
  },
);
