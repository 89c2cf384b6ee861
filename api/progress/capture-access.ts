import type { FastifyRequest } from "fastify";
import type { Capture } from "../../domain/capture.ts";
import { DomainError } from "../../domain/errors.ts";
import { type CaptureId, isId } from "../../domain/ids.ts";
import type { CaptureRecords } from "../../storage/ports/captures.ts";
import { seesProject } from "../auth/principal.ts";
import { principal } from "../plugins/guard.ts";

/**
 * A capture that the key may see.
 * @throws DomainError `CAPTURE_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export async function visibleCapture(
  captures: Pick<CaptureRecords, "find">,
  request: FastifyRequest,
  id: CaptureId,
): Promise<Capture> {
  // The path is not validated: text that is no id names nothing, and never reaches the database.
  const capture = isId(id) ? await captures.find(id) : undefined;
  if (capture === undefined || !seesProject(principal(request), capture.project_id)) {
    throw new DomainError("CAPTURE_NOT_FOUND", `no capture ${id}`);
  }
  return capture;
}
