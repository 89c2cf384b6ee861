import type { FastifyRequest } from "fastify";
import type { WorkZoneId } from "../../domain/ids.ts";
import type { WorkZone } from "../../domain/sites/work-zone.ts";
import type { WorkZoneRecords } from "../../storage/ports/sites/work-zones.ts";
import { visibleRecord } from "./visible-record.ts";

/**
 * A work zone that the key may see.
 * @throws DomainError `ZONE_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export function visibleZone(
  zones: Pick<WorkZoneRecords, "find">,
  request: FastifyRequest,
  id: WorkZoneId,
): Promise<WorkZone> {
  return visibleRecord(request, id, {
    find: (known) => zones.find(known),
    projectOf: (found) => found.project_id,
    notFound: "ZONE_NOT_FOUND",
    noun: "work zone",
  });
}
