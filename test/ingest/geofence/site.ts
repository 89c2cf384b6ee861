import type { LonLat } from "../../../domain/geometry/geofence.ts";
import { DEFAULT_CROSSING_RULES } from "../../../domain/geometry/geofence.ts";
import type { AssetId, GeofenceId, ProjectId } from "../../../domain/ids.ts";
import { FenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import { type Position, planarScale } from "../../../ingest/geofence/planar.ts";
import type { GeofenceVersion } from "../../../storage/ports/equipment/geofences.ts";

/** Origin of the site's flat map. */
export const ORIGIN: Position = { lonDeg: 10, latDeg: 50 };
const SCALE = planarScale(ORIGIN.latDeg);

export const ASSET = "ast_1" as AssetId;
export const PROJECT = "prj_1" as ProjectId;

/** The position `eastM`, `northM` metres from the origin. */
export function siteAt(eastM: number, northM: number): Position {
  return {
    lonDeg: ORIGIN.lonDeg + eastM / SCALE.mPerLonDeg,
    latDeg: ORIGIN.latDeg + northM / SCALE.mPerLatDeg,
  };
}

/** A rectangle `[west, east] x [south, north]`, metres from the origin, in force from the beginning. */
export function rectangle(
  id: string,
  [westM, southM, eastM, northM]: readonly [number, number, number, number],
  changes: Partial<GeofenceVersion> = {},
): GeofenceVersion {
  const corners = [
    { eastM: westM, northM: southM },
    { eastM, northM: southM },
    { eastM, northM },
    { eastM: westM, northM },
  ];
  return {
    ...polygon(id, corners),
    areaSqm: (eastM - westM) * (northM - southM),
    ...changes,
  };
}

/** A fence with these corners, metres from the origin, in force from the beginning; nothing reads its area. */
export function polygon(
  id: string,
  corners: readonly { readonly eastM: number; readonly northM: number }[],
): GeofenceVersion {
  const [first] = corners;
  return {
    geofenceId: id as GeofenceId,
    projectId: PROJECT,
    name: id,
    kind: "zone",
    ring: [...corners, ...(first === undefined ? [] : [first])].map(({ eastM, northM }): LonLat => {
      const { lonDeg, latDeg } = siteAt(eastM, northM);
      return [lonDeg, latDeg];
    }),
    areaSqm: 1,
    alertOn: ["both"],
    rules: DEFAULT_CROSSING_RULES,
    validFromMs: 0,
    validToMs: undefined,
    revision: 1,
  };
}

/** A timeline of these fences, with the asset in their project for all time. */
export function siteOf(...fences: readonly GeofenceVersion[]): FenceTimeline {
  const timeline = new FenceTimeline();
  timeline.apply(fences);
  timeline.assign(ASSET, [
    { assetId: ASSET, projectId: PROJECT, validFromMs: 0, validToMs: undefined },
  ]);
  return timeline;
}
