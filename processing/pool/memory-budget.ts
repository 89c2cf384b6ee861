import { totalmem } from "node:os";
import process from "node:process";

/**
 * Share of the memory that image processing may take; the rest is the service's and the system's. More lets the
 * system kill the process at a peak, less runs fewer tasks at once.
 */
const SHARE = 0.5;
/** `constrainedMemory` of a process without a limit is 0, or a number that no machine has. */
const MOST_BYTES = 2 ** 50;

/** Memory for all tasks at once where no setting says so, bytes: half of the container's or machine's. */
export function defaultMemoryBytes(): number {
  const limitBytes = process.constrainedMemory() ?? 0;
  const isLimited = limitBytes > 0 && limitBytes < MOST_BYTES;
  return Math.floor(SHARE * (isLimited ? Math.min(limitBytes, totalmem()) : totalmem()));
}
