import type { AssetTrack } from "../track/asset-track.ts";
import { HOURS, type LedgerChange, newLedger, readLedger } from "../track/meter-ledger.ts";
import { noPendingWork, type PendingWork } from "../track/pending-work.ts";
import type { UsageSample } from "../track/usage-sample.ts";
import { noteCredited } from "../track/work.ts";
import { addBounds } from "./bridged-time.ts";
import { excessOf, freeAfter, isPlainWork, isWorkAdded, workChange } from "./metered-work.ts";

/** Compares engine time and work up to a sample with the hour meter, where the sample has a reading of it. */
export function readHours(track: AssetTrack, { tMs, engineHours, engineOn }: UsageSample): void {
  const { usage, work } = track;
  if (Number.isNaN(engineHours)) return;
  if (usage.hours === undefined) {
    usage.hours = newLedger(engineHours, tMs);
    usage.pendingWork = [];
    return;
  }
  const { ledger, changes } = readLedger(usage.hours, engineHours, tMs, HOURS);
  usage.hours = ledger;
  const isSettled = ledger.pieces.every((piece) => piece.pendingMs === 0);
  const carried: PendingWork[] = [];
  let pendingMs = 0;
  let ranMs = 0;
  for (const change of changes) {
    const pending = usage.pendingWork.find(({ dayStartMs }) => dayStartMs === change.dayStartMs);
    const excessMs = applyHours(track, change, pending);
    // The meter's next step holds the work that it has not counted yet.
    const isOpen = ledger.pieces.some(({ dayStartMs }) => dayStartMs === change.dayStartMs);
    const freeMs = freeAfter(change, pending);
    if ((excessMs > 0 || freeMs > 0) && isOpen) {
      const work = { seenWorkMs: excessMs, carriedMs: excessMs, freeMs };
      carried.push({ ...noPendingWork(change.dayStartMs), ...work });
    }
    if (isWorkAdded(change, pending)) noteCredited(work, tMs);
    pendingMs += change.pendingMs;
    ranMs += change.pending + change.estimate;
  }
  // It ran for most of the unobserved time, and nothing says that it is off now.
  if (pendingMs > 0 && 2 * ranMs >= pendingMs && Number.isNaN(engineOn)) work.workedAtMs = tMs;
  if (isSettled) usage.pendingWork = carried;
}

/** Applies the hour meter to the figures of one day; returns the observed work beyond it, ms. */
function applyHours(
  track: AssetTrack,
  change: LedgerChange,
  pending: PendingWork | undefined,
): number {
  const day = track.days.findLast(({ startMs }) => startMs === change.dayStartMs);
  // Only the balance is kept of a day that is not folded here, so that it is the same in every fold.
  const excessMs = excessOf(change, pending);
  if (day === undefined) return excessMs;
  const { usage } = day;
  track.changedDays.add(day.day);
  addBounds(usage.engine, change);
  if (change.pendingMs === 0) return excessMs;
  day.engineOnMs += change.estimate;
  usage.engine.bridged -= change.pending;
  usage.engine.meter += change.pending + change.estimate;
  usage.engineCover.unknownMs -= change.pendingUnknownMs;
  usage.engineCover.bridgedMs -= change.pendingBridgedMs;
  usage.engineCover.meterMs += change.pendingMs;
  if (pending === undefined) return 0;
  const ranMs = change.pending + change.estimate;
  const [shiftMs, overMs] = workChange(pending, ranMs);
  day.workingMs += shiftMs;
  day.overtimeMs += overMs;
  if (ranMs > 0 && !isPlainWork(pending)) {
    // Only speed and load show how much of the engine's time was work: it stays an estimate, or
    // unknown.
    usage.work.bridged += shiftMs;
    usage.overtime.bridged += overMs;
    return excessMs;
  }
  usage.work.bridged -= pending.shiftWorkMs;
  usage.work.meter += pending.shiftWorkMs + shiftMs;
  usage.overtime.bridged -= pending.overWorkMs;
  usage.overtime.meter += pending.overWorkMs + overMs;
  usage.workCover.bridgedMs -= pending.bridgedMs;
  usage.workCover.unknownMs -= pending.unknownMs;
  usage.workCover.meterMs += pending.bridgedMs + pending.unknownMs;
  return excessMs;
}
