import type { FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import { isId, type WorkZoneId } from "../../domain/ids.ts";
import type { WorkZone } from "../../domain/work-zone.ts";
import type { WorkZoneRecords } from "../../storage/ports/work-zones.ts";
import { seesProject } from "../auth/principal.ts";
import { principal } from "../plugins/guard.ts";

/**
 * A work zone that the key may see.
 * @throws DomainError `ZONE_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export async function visibleZone(
  zones: Pick<WorkZoneRecords, "find">,
  request: FastifyRequest,
  id: WorkZoneId,
): Promise<WorkZone> {
  // The path is not validated: text that is no id names nothing, and never reaches the database.
  const zone = isId(id) ? await zones.find(id) : undefined;
  if (zone === undefined || !seesProject(principal(request), zone.project_id)) {
    throw new DomainError("ZONE_NOT_FOUND", `no work zone ${id}`);
  }
  return zone;
}
