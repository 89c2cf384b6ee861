/**
 * What was received so much later than it was taken is called late, ms: usual positions need a second or two. The
 * service marks positions by the same time.
 */
export const LATE_MS = 60_000;
