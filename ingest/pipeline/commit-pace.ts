/**
 * Records that are stored at once, without waiting for more. A commit costs by the assets that it touches, so more
 * are cheaper each; fewer bound what a restart reads again.
 */
export const COMMIT_RECORDS = 10_000;
/** Shortest and longest time between two commits that nobody waits for, ms (docs/rules.md#intake). */
export const COMMIT_MS = { least: 50, most: 250 } as const;
/**
 * How much longer the time between two commits is than a commit. Less stores the states of a large fleet again and
 * again, for a few readings each; more lets processes that read them from the store see them later.
 */
const REST = 10;

/** Time from the beginning of one commit to that of the next, ms; `tookMs`: how long the last one took. */
export const commitEveryMs = (tookMs: number): number =>
  Math.min(COMMIT_MS.most, Math.max(COMMIT_MS.least, tookMs * REST));
