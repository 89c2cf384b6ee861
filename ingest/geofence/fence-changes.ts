import { DEFAULT_CROSSING_RULES } from "../../domain/geometry/geofence.ts";
import type { AssetId, GeofenceId, ProjectId } from "../../domain/ids.ts";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import type { Crossing, CrossingCause, FenceFix } from "./crossing.ts";
import type { FenceFold } from "./fence-fold.ts";
import { holds, isSameGround } from "./fence-shape.ts";
import type { FenceTimeline } from "./fence-timeline.ts";
import type { Position } from "./planar.ts";
import { meanOf, phaseOf } from "./stay.ts";

/**
 * Deals with one instant at which the asset's fences change: visits end and begin where it is. A change
 * of name, alerts or rules leaves the ground as it was, and ends nothing.
 */
export function applyChange(
  fold: FenceFold,
  atMs: number,
  assetId: AssetId,
  timeline: FenceTimeline,
  emit: (crossing: Crossing) => void,
): void {
  const { last } = fold;
  // Nowhere yet: the first fix meets the fences of its own time.
  if (last === undefined) return;
  const place = placeOf(fold, last);
  const report = (fence: GeofenceVersion, type: Crossing["type"], cause: CrossingCause): void => {
    fold.reportedMs = atMs;
    emit({
      ...{ fence, type, atMs, cause, inferred: false },
      location: { latitude: place.latDeg, longitude: place.lonDeg },
      accuracyM: last.accuracyM,
    });
  };
  const before = timeline.projectAt(assetId, atMs - 1);
  const project = timeline.projectAt(assetId, atMs);
  const hasMoved = before !== project;

  const held: GeofenceId[] = [];
  for (const id of fold.held) {
    const old = timeline.fenceAt(id, atMs - 1);
    const now = timeline.fenceAt(id, atMs);
    const known = old?.version ?? now?.version ?? forgottenFence(id, before, atMs);
    if (hasMoved) {
      report(known, "exited", project === undefined ? "asset_deleted" : "asset_moved");
    } else if (now === undefined) {
      report(known, "exited", "fence_deleted");
    } else if (now.version.projectId === project && holds(now, place)) {
      held.push(id);
    } else if (old === undefined || !isSameGround(old.version, now.version)) {
      report(known, "exited", "fence_changed");
    } else {
      held.push(id);
    }
  }
  const isChanged = (id: GeofenceId): boolean => {
    const old = timeline.fenceAt(id, atMs - 1);
    const now = timeline.fenceAt(id, atMs);
    return hasMoved || !old || !now || !isSameGround(old.version, now.version);
  };
  if (project !== undefined) {
    for (const fence of timeline.fencesHolding(place, project, atMs)) {
      if (held.includes(fence.geofenceId) || !isChanged(fence.geofenceId)) continue;
      report(fence, "entered", hasMoved ? "asset_moved" : "fence_changed");
      held.push(fence.geofenceId);
    }
  }
  fold.runs = fold.runs.filter((run) => !isChanged(run.geofenceId));
  fold.openPaths = fold.openPaths.filter((path) => !isChanged(path.geofenceId));
  fold.held = held;
  fold.safe = undefined;
}

/** Where the asset is: the mean of a stay is more accurate than its newest fix. */
function placeOf({ stay }: FenceFold, last: FenceFix): Position {
  return stay !== undefined && phaseOf(stay, undefined) === "stationary" ? meanOf(stay) : last;
}

/** A substitute for a fence that ended so long ago that its versions were dropped. */
export function forgottenFence(
  geofenceId: GeofenceId,
  projectId: ProjectId | undefined,
  atMs: number,
): GeofenceVersion {
  return {
    geofenceId,
    projectId: projectId ?? ("" as ProjectId),
    name: "",
    kind: "zone",
    ring: [],
    areaSqm: 0,
    alertOn: [],
    rules: DEFAULT_CROSSING_RULES,
    validFromMs: atMs,
    validToMs: atMs,
    revision: 0,
  };
}
