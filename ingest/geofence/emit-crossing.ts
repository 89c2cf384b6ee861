import type { GeofenceId } from "../../domain/ids.ts";
import type { FenceFix } from "./crossing.ts";
import type { EvaluationContext } from "./evaluation-context.ts";
import type { FenceFold, PendingRun } from "./fence-fold.ts";
import { type FenceShape, isSameGround } from "./fence-shape.ts";

/**
 * Takes the asset over the fence's edge, out if it was in, and emits the crossing dated and located
 * by `place`.
 */
export function emitCrossing(
  { fold, fix, emit }: EvaluationContext,
  { version }: FenceShape,
  place: FenceFix,
): void {
  const { geofenceId } = version;
  const isHeld = fold.held.includes(geofenceId);
  fold.held = isHeld ? fold.held.filter((id) => id !== geofenceId) : [...fold.held, geofenceId];
  setRun(fold, geofenceId, undefined);
  setOpenPath(fold, geofenceId, undefined);
  const type = isHeld ? "exited" : "entered";
  emit({ ...placeOf(place), fence: version, type, cause: "crossing", inferred: false });
  fold.reportedMs = fix.tMs;
}

/** The part of a crossing that says where and when. */
export const placeOf = ({ tMs, lonDeg, latDeg, accuracyM }: FenceFix) => ({
  atMs: tMs,
  location: { latitude: latDeg, longitude: lonDeg },
  accuracyM,
});

/** Puts the pending run of a fence in place of the one before, or drops it. */
export function setRun(fold: FenceFold, geofenceId: GeofenceId, run: PendingRun | undefined): void {
  const others = fold.runs.filter((one) => one.geofenceId !== geofenceId);
  fold.runs = run === undefined ? others : [...others, run];
}

/** Replaces the open path into a fence, or drops it. */
export function setOpenPath(
  fold: FenceFold,
  geofenceId: GeofenceId,
  knots: readonly FenceFix[] | undefined,
): void {
  const others = fold.openPaths.filter((one) => one.geofenceId !== geofenceId);
  fold.openPaths = knots === undefined ? others : [...others, { geofenceId, knots }];
}

/** Whether the asset had this fence, on the same ground, at an earlier instant too. */
export function wasInForce(
  context: EvaluationContext,
  { version }: FenceShape,
  tMs: number,
): boolean {
  const { timeline, assetId, projectId } = context;
  const then = timeline.fenceAt(version.geofenceId, tMs);
  return (
    then !== undefined &&
    isSameGround(then.version, version) &&
    timeline.projectAt(assetId, tMs) === projectId
  );
}
