import type { AssetId, GeofenceId, ProjectId } from "../../domain/ids.ts";
import type { Crossing, FenceFix } from "./crossing.ts";
import { forgottenFence } from "./fence-changes.ts";
import type { FenceFold } from "./fence-fold.ts";
import { type FenceShape, isSameGround, type LonLatBox, signedDistanceM } from "./fence-shape.ts";
import type { FenceTimeline } from "./fence-timeline.ts";
import { depthM, passageThrough } from "./passage.ts";
import { between, type Position, planarDistanceM, shortWayDeg } from "./planar.ts";
import { safeBox, safeDisc } from "./safe-disc.ts";
import { isSettled, meanOf, SETTLED_MS, type Stand } from "./stand.ts";

/** A believed fix, and everything it is judged by. */
export interface JudgeContext {
  readonly fold: FenceFold;
  /** The fold's stand, this fix included. */
  readonly stand: Stand;
  readonly fix: FenceFix;
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly timeline: FenceTimeline;
  readonly emit: (crossing: Crossing) => void;
  readonly skip: boolean;
}

/** Largest accuracies beyond the edge that one fix needs: a 68 % radius is 1.5 sigma of one axis, so this is 3 sigma. */
const SURE_ACCURACIES = 2;
/** Least distance beyond the edge at which one fix is enough, metres (DESIGN 5, Geofence). */
const SURE_M = 10;
/** Least distance beyond the edge at which the mean of a stay is enough, metres. Measured in bench/geofence-jitter.ts. */
const SURE_MEAN_M = 5;
/** Longest gap between two fixes over which a crossing is inferred, ms (DESIGN 5, Geofence). */
const MAX_INFERRED_GAP_MS = 15 * 60_000;

/** The first fix ever: the asset is in what holds it. */
export function judgeFirstFix({ fold, fix, projectId, timeline, emit }: JudgeContext): void {
  for (const fence of timeline.fencesHolding(fix, projectId, fix.tMs)) {
    fold.held = [...fold.held, fence.geofenceId];
    emit({ ...at(fix), fence, type: "entered", cause: "first_fix", inferred: false });
    fold.toldMs = fix.tMs;
  }
}

/** Judges every fence that the fix may tell a crossing of. `previous` is the fix that it came from, if it came. */
export function judgeFences(context: JudgeContext, previous: FenceFix | undefined): void {
  const { fold, stand, fix, projectId, timeline, skip } = context;
  const isStanding = isSettled(stand) && stand.away === undefined;
  // While an asset stands its fixes wander, and a line between two of them means nothing.
  const isMoving = stand.away !== undefined || (!isSettled(stand) && stand.cameFromElsewhere);
  const from =
    previous !== undefined && isMoving && fix.tMs - previous.tMs <= MAX_INFERRED_GAP_MS
      ? previous
      : undefined;
  const mean = isStanding ? meanOf(stand) : undefined;
  const box = boxAround(fix, from, mean);
  const near = timeline.near(projectId, skip ? union(box, safeBox(fix)) : box, fix.tMs);

  const ids = new Set<GeofenceId>([...fold.held, ...fold.runs.map((run) => run.geofenceId)]);
  const shapes: FenceShape[] = [];
  for (const shape of near) {
    if (!ids.has(shape.version.geofenceId) && touches(shape, box)) shapes.push(shape);
  }
  for (const id of ids) {
    const shape = timeline.fenceAt(id, fix.tMs);
    if (shape !== undefined && shape.version.projectId === projectId) shapes.push(shape);
    else dropForgotten(context, id);
  }
  // The order of an index depends on its history; what is told must not.
  shapes.sort((a, b) => (a.version.geofenceId < b.version.geofenceId ? -1 : 1));
  const motion = { isStanding, isMoving, from, mean };
  for (const shape of shapes) judgeFence(context, shape, motion);
  fold.safe = skip && fold.runs.length === 0 ? safeDisc(fix, near, timeline.epoch) : undefined;
}

interface Motion {
  /** The asset stays where it was: the mean decides. */
  readonly isStanding: boolean;
  /** The asset was seen to go: fixes decide. */
  readonly isMoving: boolean;
  /** Where it came from, when the way is known well enough to infer a crossing. */
  readonly from: FenceFix | undefined;
  readonly mean: Position | undefined;
}

function judgeFence(context: JudgeContext, shape: FenceShape, motion: Motion): void {
  const { fold, fix, stand } = context;
  const { geofenceId, rules } = shape.version;
  const minDwellMs = rules.min_dwell_s * 1000;
  const isHeld = fold.held.includes(geofenceId);
  const sureM = Math.max(SURE_ACCURACIES * fix.accuracyM, SURE_M, rules.exit_buffer_m);
  const beyondM = (place: Position): number =>
    isHeld ? -signedDistanceM(shape, place) : signedDistanceM(shape, place);

  if (motion.mean !== undefined) {
    setRun(fold, geofenceId, undefined);
    const sureMeanM = Math.max(SURE_MEAN_M, sureM * Math.sqrt(SETTLED_MS / stand.creditMs));
    if (beyondM(motion.mean) > sureMeanM && fix.tMs - stand.startMs >= minDwellMs) {
      const { startMs } = stand;
      const tMs = startMs > fold.toldMs && wasInForce(context, shape, startMs) ? startMs : fix.tMs;
      cross(context, shape, { ...motion.mean, tMs, accuracyM: fix.accuracyM });
    }
    return;
  }
  const beyond = beyondM(fix);
  const run = fold.runs.find((one) => one.geofenceId === geofenceId);
  if (beyond > fix.accuracyM) {
    const grown =
      run === undefined
        ? { geofenceId, first: fix, count: 1, lastMs: fix.tMs }
        : { ...run, count: run.count + 1, lastMs: fix.tMs };
    setRun(fold, geofenceId, grown);
    const isSure = beyond > sureM || (motion.isMoving && grown.count >= rules.confirm_fixes);
    if (isSure && fix.tMs - grown.first.tMs >= minDwellMs) cross(context, shape, grown.first);
  } else if (run !== undefined && beyond < -fix.accuracyM) {
    setRun(fold, geofenceId, undefined);
    // There and back again: the way back is one more proof of the way there.
    const isProved = motion.isMoving && run.count >= rules.confirm_fixes - 1;
    if (isProved && run.lastMs - run.first.tMs >= minDwellMs) {
      cross(context, shape, run.first);
      cross(context, shape, fix);
    }
  } else if (run === undefined && !isHeld && motion.from !== undefined) {
    infer(context, shape, motion.from, minDwellMs);
  }
}

/** Tells a stay that lies wholly between two fixes. */
function infer(context: JudgeContext, shape: FenceShape, from: FenceFix, minDwellMs: number): void {
  const { fold, fix, emit } = context;
  const passage = passageThrough(shape, from, fix);
  if (passage === undefined) return;
  const accuracyM = Math.max(from.accuracyM, fix.accuracyM);
  const lengthM = planarDistanceM(from, fix, shape.scale) * (passage.toShare - passage.fromShare);
  const spanMs = fix.tMs - from.tMs;
  const enteredMs = Math.round(from.tMs + spanMs * passage.fromShare);
  const exitedMs = Math.round(from.tMs + spanMs * passage.toShare);
  if (lengthM <= Math.max(2 * accuracyM, SURE_M) || exitedMs - enteredMs < minDwellMs) return;
  if (!wasInForce(context, shape, enteredMs)) return;
  // Along an edge the way may be long and yet never surely inside.
  if (depthM(shape, from, fix, passage) <= accuracyM) return;
  const bounds = { afterMs: from.tMs, beforeMs: fix.tMs };
  const common = { fence: shape.version, cause: "crossing", inferred: true, bounds } as const;
  const ends = [
    ["entered", enteredMs, passage.fromShare],
    ["exited", exitedMs, passage.toShare],
  ] as const;
  for (const [type, tMs, share] of ends) {
    emit({ ...common, ...at({ ...between(from, fix, share), tMs, accuracyM }), type });
  }
  fold.toldMs = fix.tMs;
}

/** Whether the asset had this fence, on the same ground, at an earlier instant too. */
function wasInForce(context: JudgeContext, { version }: FenceShape, tMs: number): boolean {
  const { timeline, assetId, projectId } = context;
  const then = timeline.fenceAt(version.geofenceId, tMs);
  return (
    then !== undefined &&
    isSameGround(then.version, version) &&
    timeline.projectAt(assetId, tMs) === projectId
  );
}

/** Takes the asset over the edge. */
function cross({ fold, fix, emit }: JudgeContext, { version }: FenceShape, place: FenceFix): void {
  const { geofenceId } = version;
  const isHeld = fold.held.includes(geofenceId);
  fold.held = isHeld ? fold.held.filter((id) => id !== geofenceId) : [...fold.held, geofenceId];
  setRun(fold, geofenceId, undefined);
  const type = isHeld ? "exited" : "entered";
  emit({ ...at(place), fence: version, type, cause: "crossing", inferred: false });
  fold.toldMs = fix.tMs;
}

/** A fence that is not known any more, because it ended long before the asset's next fix. */
function dropForgotten({ fold, fix, projectId, emit }: JudgeContext, id: GeofenceId): void {
  setRun(fold, id, undefined);
  if (!fold.held.includes(id)) return;
  fold.held = fold.held.filter((one) => one !== id);
  const fence = forgottenFence(id, projectId, fix.tMs);
  emit({ ...at(fix), fence, type: "exited", cause: "fence_deleted", inferred: false });
}

function setRun(
  fold: FenceFold,
  geofenceId: GeofenceId,
  run: FenceFold["runs"][number] | undefined,
): void {
  const others = fold.runs.filter((one) => one.geofenceId !== geofenceId);
  fold.runs = run === undefined ? others : [...others, run];
}

const at = ({ tMs, lonDeg, latDeg, accuracyM }: FenceFix) => ({
  atMs: tMs,
  location: { latitude: latDeg, longitude: lonDeg },
  accuracyM,
});

/** The box around the places that may lie in a fence; longitudes run on from the fix's. */
function boxAround(fix: FenceFix, ...others: readonly (Position | undefined)[]): LonLatBox {
  let [minX, minY, maxX, maxY] = [fix.lonDeg, fix.latDeg, fix.lonDeg, fix.latDeg];
  for (const other of others) {
    if (other === undefined) continue;
    const x = fix.lonDeg + shortWayDeg(other.lonDeg - fix.lonDeg);
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minY = Math.min(minY, other.latDeg);
    maxY = Math.max(maxY, other.latDeg);
  }
  return { minX, minY, maxX, maxY };
}

const union = (a: LonLatBox, b: LonLatBox): LonLatBox => ({
  minX: Math.min(a.minX, b.minX),
  minY: Math.min(a.minY, b.minY),
  maxX: Math.max(a.maxX, b.maxX),
  maxY: Math.max(a.maxY, b.maxY),
});

/** Whether the fence's box touches the other, which may lie a turn away. */
function touches(shape: FenceShape, box: LonLatBox): boolean {
  if (shape.minY > box.maxY || shape.maxY < box.minY) return false;
  return [-360, 0, 360].some(
    (turnDeg) => shape.minX + turnDeg <= box.maxX && shape.maxX + turnDeg >= box.minX,
  );
}
