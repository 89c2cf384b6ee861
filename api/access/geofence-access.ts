import type { FastifyRequest } from "fastify";
import type { Geofence } from "../../domain/geometry/geofence.ts";
import type { GeofenceId } from "../../domain/ids.ts";
import type { GeofenceRecords } from "../../storage/ports/equipment/geofences.ts";
import { visibleRecord } from "./visible-record.ts";

/**
 * A fence that the key may see.
 * @throws DomainError `GEOFENCE_NOT_FOUND`, the same for an absent fence and for another tenant's.
 */
export function visibleGeofence(
  geofences: GeofenceRecords,
  request: FastifyRequest,
  id: GeofenceId,
): Promise<Geofence> {
  return visibleRecord(request, id, {
    find: (known) => geofences.find(known),
    projectOf: (found) => found.project_id,
    notFound: "GEOFENCE_NOT_FOUND",
    noun: "geofence",
  });
}
