import type { FastifyRequest } from "fastify";
import type { CaptureId } from "../../domain/ids.ts";
import type { Capture } from "../../domain/sites/capture.ts";
import type { CaptureRecords } from "../../storage/ports/sites/captures.ts";
import { visibleRecord } from "./visible-record.ts";

/**
 * A capture that the key may see.
 * @throws DomainError `CAPTURE_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export function visibleCapture(
  captures: Pick<CaptureRecords, "find">,
  request: FastifyRequest,
  id: CaptureId,
): Promise<Capture> {
  return visibleRecord(request, id, {
    find: (known) => captures.find(known),
    projectOf: (found) => found.project_id,
    notFound: "CAPTURE_NOT_FOUND",
    noun: "capture",
  });
}
