import { offsetLocation } from "../../../domain/geodesy.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { createSite, type DeviceAccess } from "../../support/site.ts";
import { FENCE_HALF_M, type Machine } from "./fleet.ts";

/** Registers machines, their projects, and a fence for each project that is older than `startMs`; credentials by machine. */
export async function provision(
  api: ApiClient,
  machines: readonly Machine[],
  startMs: number,
): Promise<ReadonlyMap<string, DeviceAccess>> {
  const access = new Map<string, DeviceAccess>();
  const projectIds = new Set(machines.map(({ projectId }) => projectId));
  for (const projectId of projectIds) {
    const own = machines.filter((machine) => machine.projectId === projectId);
    const ids = own.map(({ id }) => id);
    for (const [id, credentials] of await createSite(api, projectId, ids)) {
      access.set(id, credentials);
    }
    const centre = own[0]?.centre;
    if (centre === undefined) throw new Error("a project without machines");
    const corner = (east: number, north: number) => {
      const at = offsetLocation(centre, east * FENCE_HALF_M, north * FENCE_HALF_M);
      return [at.latitude, at.longitude];
    };
    await api.post("/equipment/geofences", {
      id: `fence-of-${projectId}`,
      name: `fence of ${projectId}`,
      project_id: projectId,
      polygon: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)],
      valid_from: new Date(startMs - HOUR_MS).toISOString(),
    });
  }
  return access;
}
