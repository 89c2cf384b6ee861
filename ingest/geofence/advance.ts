import type { AssetId } from "../../domain/ids.ts";
import { believe } from "./believed-fix.ts";
import type { Crossing, FenceFix } from "./crossing.ts";
import { evaluateFences, evaluateFirstFix } from "./evaluate-fences.ts";
import { applyChange } from "./fence-changes.ts";
import type { FenceFold } from "./fence-fold.ts";
import type { FenceTimeline } from "./fence-timeline.ts";
import { isUnevaluatedLeg, legsTo } from "./inferred-visit.ts";
import { isWithin } from "./safe-disc.ts";
import { newStay, nextStay, type Phase, phaseOf } from "./stay.ts";

export interface AdvanceOptions {
  /** Whether fences are left alone while the asset is too far from every edge to cross one; default true. */
  readonly skip?: boolean;
}

/**
 * Folds the asset's next fix, after the changes of its fences up to then, and emits the crossings that
 * follow from it. The result depends on fixes, versions and assignments in order of time only. Fixes
 * come in strictly ascending time: `fix.tMs > fold.clockMs`.
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
  const { last, stay: before } = fold;
  const isJump = belief === "jumped";
  const stay = before === undefined || isJump ? newStay(fix, before) : nextStay(before, fix);
  fold.last = fix;
  fold.stay = stay;
  const phase = phaseOf(stay, before);
  const left = before === stay ? undefined : before;
  const hasLeft = phase === "moving" && isUnevaluatedLeg(left);
  if (skip && !hasLeft && staysSafe(fold, fix, phase)) return;
  const projectId = timeline.projectAt(assetId, fix.tMs);
  if (projectId === undefined) return;
  // The path to a place that it cannot have reached is unknown.
  const legs = isJump ? [] : legsTo(fix, phase, last, left);
  const context = { fold, stay, phase, fix, legs, assetId, projectId, timeline, emit };
  if (last === undefined) evaluateFirstFix(context);
  else evaluateFences(context, skip);
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
  if (quiet?.era.isCurrent === true && atMs < quiet.untilMs) return;
  const changes = timeline.changes(assetId, fold.clockMs, Number.POSITIVE_INFINITY);
  for (const changeMs of changes) {
    if (changeMs > atMs) {
      fold.quiet = { era: timeline.eraOf(assetId), untilMs: changeMs };
      return;
    }
    applyChange(fold, changeMs, assetId, timeline, emit);
    fold.clockMs = changeMs;
  }
  fold.quiet = { era: timeline.eraOf(assetId), untilMs: Number.POSITIVE_INFINITY };
}

/** Whether nothing that could reveal a crossing has left the disc: the fix, and the mean of a stay. */
function staysSafe(
  { safe, stay, runs, openPaths }: FenceFold,
  fix: FenceFix,
  phase: Phase,
): boolean {
  if (safe === undefined || !safe.era.isCurrent || runs.length > 0) return false;
  if (openPaths.length > 0) return false;
  if (!isWithin(safe, fix.lonDeg, fix.latDeg)) return false;
  return (
    phase !== "stationary" ||
    (stay !== undefined && isWithin(safe, stay.meanLonDeg, stay.meanLatDeg))
  );
}
