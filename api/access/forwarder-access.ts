import type { FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import { type ForwarderId, isId } from "../../domain/ids.ts";
import type { Forwarder, ForwarderRecords } from "../../storage/ports/events/forwarders.ts";
import { principal } from "../auth/guard.ts";
import { seesWebhook } from "./webhook-access.ts";

/**
 * A forwarder that the key may see: one of projects that it sees, all of them.
 * @throws DomainError `FORWARDER_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export async function visibleForwarder(
  forwarders: ForwarderRecords,
  request: FastifyRequest,
  id: ForwarderId,
): Promise<Forwarder> {
  // The path is not validated: text that is not an id names nothing, and never reaches the database.
  const forwarder = isId(id) ? await forwarders.find(id) : undefined;
  if (forwarder === undefined || !seesWebhook(principal(request), forwarder)) {
    throw new DomainError("FORWARDER_NOT_FOUND", `no forwarder ${id}`);
  }
  return forwarder;
}
