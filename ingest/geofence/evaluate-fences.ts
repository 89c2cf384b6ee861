import type { GeofenceId } from "../../domain/ids.ts";
import { placeOf, setOpenPath, setRun } from "./emit-crossing.ts";
import { evaluateFence } from "./evaluate-fence.ts";
import type { EvaluationContext } from "./evaluation-context.ts";
import { forgottenFence } from "./fence-changes.ts";
import type { FenceShape } from "./fence-shape.ts";
import { boxAt, type LonLatBox, stretch, touches, union } from "./lon-lat-box.ts";
import { safeBox, safeDisc } from "./safe-disc.ts";
import { meanOf } from "./stay.ts";

/** The first fix ever: the asset is in what holds it. */
export function evaluateFirstFix({
  fold,
  fix,
  projectId,
  timeline,
  emit,
}: EvaluationContext): void {
  for (const fence of timeline.fencesHolding(fix, projectId, fix.tMs)) {
    fold.held = [...fold.held, fence.geofenceId];
    emit({ ...placeOf(fix), fence, type: "entered", cause: "first_fix", inferred: false });
    fold.reportedMs = fix.tMs;
  }
}

/**
 * Evaluates every fence that the fix may cross. With `skip`, also measures how far the asset may go
 * before the next call is needed.
 */
export function evaluateFences(context: EvaluationContext, skip: boolean): void {
  const { fold, stay, phase, fix, legs, assetId, projectId, timeline } = context;
  const box = boxAt(fix);
  if (phase === "stationary") stretch(box, meanOf(stay));
  for (const { from, to } of legs) {
    stretch(box, from);
    stretch(box, to);
  }
  const near = timeline.near(projectId, skip ? union(box, safeBox(fix)) : box, fix.tMs);
  let isAtRest = true;
  for (const shape of shapesToEvaluate(context, near, box)) {
    if (!evaluateFence(context, shape)) isAtRest = false;
  }
  fold.safe = skip && isAtRest ? safeDisc(fix, near, timeline.eraOf(assetId)) : undefined;
}

/** What touches the box, and every fence that the asset is in or may have gone over, by rising id. */
function shapesToEvaluate(
  context: EvaluationContext,
  near: readonly FenceShape[],
  box: LonLatBox,
): readonly FenceShape[] {
  const { held, runs, openPaths } = context.fold;
  const shapes = near.filter((shape) => touches(shape, box));
  for (const id of held) addKnown(context, shapes, id);
  for (const { geofenceId } of runs) addKnown(context, shapes, geofenceId);
  for (const { geofenceId } of openPaths) addKnown(context, shapes, geofenceId);
  // The order of an index depends on its history; the order of events must not.
  return shapes.length > 1 ? shapes.sort(byId) : shapes;
}

function addKnown(context: EvaluationContext, shapes: FenceShape[], id: GeofenceId): void {
  if (shapes.some(({ version }) => version.geofenceId === id)) return;
  const shape = context.timeline.fenceAt(id, context.fix.tMs);
  if (shape?.version.projectId === context.projectId) shapes.push(shape);
  else endForgotten(context, id);
}

const byId = (a: FenceShape, b: FenceShape): number =>
  a.version.geofenceId < b.version.geofenceId ? -1 : 1;

/** A fence that is not known any more, because it ended long before the asset's next fix. */
function endForgotten({ fold, fix, projectId, emit }: EvaluationContext, id: GeofenceId): void {
  setRun(fold, id, undefined);
  setOpenPath(fold, id, undefined);
  if (!fold.held.includes(id)) return;
  fold.held = fold.held.filter((one) => one !== id);
  const fence = forgottenFence(id, projectId, fix.tMs);
  emit({ ...placeOf(fix), fence, type: "exited", cause: "fence_deleted", inferred: false });
  fold.reportedMs = fix.tMs;
}
