import type { LedgerChange } from "../track/meter-ledger.ts";
import type { PendingWork } from "../track/pending-work.ts";

/** Whether the meter adds work for past time: decided by the fold alone, whichever days are folded here. */
export function isWorkAdded(change: LedgerChange, pending: PendingWork | undefined): boolean {
  if (pending === undefined || change.pendingMs === 0) return false;
  const [shiftMs, overMs] = workChange(pending, change.pending + change.estimate);
  return shiftMs + overMs > 0;
}

/** Work that was seen and that the hour meter has not counted. */
export function excessOf(change: LedgerChange, pending: PendingWork | undefined): number {
  if (pending === undefined) return 0;
  const { shiftWorkMs, overWorkMs, seenWorkMs } = pending;
  const ranMs = change.pending + change.estimate;
  const countedMs = ranMs - shiftWorkMs - overWorkMs;
  // A meter of coarse steps first takes back what it then counts: that is not additional work.
  return Math.max(0, seenWorkMs - Math.max(0, countedMs)) + Math.max(0, -ranMs);
}

/** Time up to this reading of the meter that no work is credited for. */
export function freeAfter(change: LedgerChange, pending: PendingWork | undefined): number {
  if (pending === undefined) return 0;
  if (change.pendingMs === 0) return freeOf(pending);
  const [shiftMs, overMs] = workChange(pending, change.pending + change.estimate);
  return freeOf(pending) - shiftMs - overMs;
}

/** Time without credited work: no second is credited twice, whatever the meter says. */
const freeOf = (pending: PendingWork): number => {
  const { shiftMs, overMs, shiftWorkMs, overWorkMs, seenWorkMs, carriedMs, freeMs } = pending;
  return Math.max(
    0,
    freeMs + shiftMs + overMs - shiftWorkMs - overWorkMs - (seenWorkMs - carriedMs),
  );
};

/** No time at all: work was reported where the engine was not seen, and only what was carried on waits. */
export const isPlainWork = ({ shiftMs, overMs, plainMs }: PendingWork): boolean =>
  shiftMs + overMs > 0 && 2 * plainMs >= shiftMs + overMs;

/**
 * The work to add inside the shift and outside where the engine ran for `ranMs`. A machine that sends
 * neither speed nor load works as long as its engine runs; another at most that long.
 */
export function workChange(
  pending: PendingWork,
  ranMs: number,
): readonly [shiftMs: number, overMs: number] {
  const { shiftMs, overMs, shiftWorkMs, overWorkMs, seenWorkMs } = pending;
  const estimated = shiftWorkMs + overWorkMs;
  const missing = Math.min(freeOf(pending), ranMs - estimated - seenWorkMs);
  if (missing > 0) {
    if (!isPlainWork(pending)) return [0, 0];
    const inShift = Math.round((missing * shiftMs) / (shiftMs + overMs));
    return [inShift, missing - inShift];
  }
  if (estimated === 0) return [0, 0];
  const less = Math.max(missing, -estimated);
  const inShift = Math.round((less * shiftWorkMs) / estimated);
  return [inShift, less - inShift];
}
