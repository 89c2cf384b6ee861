import type { FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import type { Geofence } from "../../domain/geofence.ts";
import { type GeofenceId, isId } from "../../domain/ids.ts";
import type { GeofenceRecords } from "../../storage/ports/geofences.ts";
import { seesProject } from "../auth/principal.ts";
import { principal } from "../plugins/guard.ts";

/**
 * A fence that the key may see.
 * @throws DomainError `GEOFENCE_NOT_FOUND`, the same for an absent fence and for another tenant's.
 */
export async function visibleGeofence(
  geofences: GeofenceRecords,
  request: FastifyRequest,
  id: GeofenceId,
): Promise<Geofence> {
  // The path is not validated: text that is no id names nothing, and never reaches the database.
  const fence = isId(id) ? await geofences.find(id) : undefined;
  if (fence === undefined || !seesProject(principal(request), fence.project_id)) {
    throw new DomainError("GEOFENCE_NOT_FOUND", `no geofence ${id}`);
  }
  return fence;
}
