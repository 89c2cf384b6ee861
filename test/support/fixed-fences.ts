import type { FenceDirectory } from "../../ingest/directories/fence-directory.ts";
import { FenceTimeline } from "../../ingest/geofence/fence-timeline.ts";
import type { AssetAssignment, GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";

/** A fence directory that never learns anything new. */
export function fixedFences(
  versions: readonly GeofenceVersion[] = [],
  assignments: readonly AssetAssignment[] = [],
): FenceDirectory {
  const timeline = new FenceTimeline();
  timeline.apply(versions);
  for (const one of assignments) timeline.assign(one.assetId, [one]);
  return {
    timeline,
    find: (id) => versions.findLast(({ geofenceId }) => geofenceId === id),
    seen: { revision: 0, assignedMs: 0 },
    changedAfter: () => [],
    takeChanges: () => [],
    takeNewAssets: () => [],
    onChange: () => () => undefined,
    refresh: () => Promise.resolve(),
    close: () => undefined,
  };
}
