import { createPace } from "./pace.ts";

/**
 * Drawing without a rest, ms: some fifty tiles, which is what a map shows at first. Longer holds up other requests for
 * longer, shorter lets somebody wait who looks at one map.
 */
const BURST_MS = 1_000;
/** Part of the time that is drawn after that. A larger one draws a thousand tiles sooner, beside slower requests. */
const SHARE = 0.5;

/** Draws a tile of any kind when it is time for it. Holds for the thread. */
export const atDrawingPace = createPace({ burstMs: BURST_MS, share: SHARE });
