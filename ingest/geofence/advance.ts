import type { AssetId } from "../../domain/ids.ts";
import { believe } from "./believed-fix.ts";
import type { Crossing, FenceFix } from "./crossing.ts";
import { applyChange } from "./fence-changes.ts";
import type { FenceFold } from "./fence-fold.ts";
import type { FenceTimeline } from "./fence-timeline.ts";
import { judgeFences, judgeFirstFix } from "./judge.ts";
import { isWithin } from "./safe-disc.ts";
import { isSettled, newStand, nextStand } from "./stand.ts";

export interface AdvanceOptions {
  /** Whether fences are left alone while the asset is too far from every edge to cross one; default true. */
  readonly skip?: boolean;
}

/**
 * Folds the asset's next fix, after the changes of its fences up to then, and emits the crossings that
 * it tells. What comes out depends on fixes, versions and assignments in order of time only. Fixes come
 * in strictly ascending time: `fix.tMs > fold.clockMs`.
 */
export function advanceFences(
  fold: FenceFold,
  fix: FenceFix,
  assetId: AssetId,
  timeline: FenceTimeline,
  emit: (crossing: Crossing) => void,
  { skip = true }: AdvanceOptions = {},
): void {
  advanceFencesTo(fold, fix.tMs, assetId, timeline, emit);
  fold.clockMs = fix.tMs;
  const belief = believe(fold, fix);
  if (belief === "not_believed") return;
  const { last, stand } = fold;
  fold.last = fix;
  fold.stand =
    stand === undefined || belief === "jumped" ? newStand(fix, false) : nextStand(stand, fix);
  if (skip && staysSafe(fold, fix, timeline.epoch)) return;
  const projectId = timeline.projectAt(assetId, fix.tMs);
  if (projectId === undefined) return;
  const context = { fold, stand: fold.stand, fix, assetId, projectId, timeline, emit, skip };
  if (last === undefined) judgeFirstFix(context);
  else judgeFences(context, belief === "jumped" ? undefined : last);
}

/** Deals with changes of the asset's fences up to `atMs`, without a fix. */
export function advanceFencesTo(
  fold: FenceFold,
  atMs: number,
  assetId: AssetId,
  timeline: FenceTimeline,
  emit: (crossing: Crossing) => void,
): void {
  if (fold.last === undefined) return;
  const { quiet } = fold;
  if (quiet?.epoch === timeline.epoch && atMs < quiet.untilMs) return;
  const changes = timeline.changes(assetId, fold.clockMs, Number.POSITIVE_INFINITY);
  for (const changeMs of changes) {
    if (changeMs > atMs) {
      fold.quiet = { epoch: timeline.epoch, untilMs: changeMs };
      return;
    }
    applyChange(fold, changeMs, assetId, timeline, emit);
    fold.clockMs = changeMs;
  }
  fold.quiet = { epoch: timeline.epoch, untilMs: Number.POSITIVE_INFINITY };
}

/** Whether nothing that could tell a crossing has left the disc: the fix, and the mean of a stay. */
function staysSafe({ safe, stand, runs }: FenceFold, fix: FenceFix, epoch: number): boolean {
  return (
    safe !== undefined &&
    safe.epoch === epoch &&
    runs.length === 0 &&
    isWithin(safe, fix.lonDeg, fix.latDeg) &&
    (stand === undefined || !isSettled(stand) || isWithin(safe, stand.meanLonDeg, stand.meanLatDeg))
  );
}
