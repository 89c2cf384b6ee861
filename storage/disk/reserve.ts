/** Free space that is kept for records and cursors when no other is set. docs/rules.md#intake. */
const RESERVE_BYTES = 1024 ** 3;
const RESERVE_SHARE = 0.05;
/** Largest margin that is assumed: on large disks more would only be space that nobody may use. */
const MOST_MARGIN_BYTES = 10 * 1024 ** 3;

/**
 * Free bytes of a disk below which intake stops acknowledging: `minFreeBytes`, or else the larger of
 * 1 GiB and 5 % of the disk.
 */
export function intakeReserve(totalBytes: number, minFreeBytes: number | undefined): number {
  return minFreeBytes ?? Math.max(RESERVE_BYTES, RESERVE_SHARE * totalBytes);
}

/**
 * Free bytes above the reserve that only intake may use: `marginBytes`, or else as much as the reserve,
 * at most 10 GiB. A smaller margin leaves intake less time until somebody frees space.
 */
export function intakeMargin(reserveBytes: number, marginBytes: number | undefined): number {
  return marginBytes ?? Math.min(reserveBytes, MOST_MARGIN_BYTES);
}
