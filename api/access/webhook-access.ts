import type { FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import { isId, type ProjectId, type WebhookId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import type { Webhook, WebhookRecords } from "../../storage/ports/events/webhooks.ts";
import { principal } from "../auth/guard.ts";
import { type Principal, seesProject } from "../auth/principal.ts";
import { invalidParameter } from "../validation/validation.ts";
import { visibleProject } from "./asset-access.ts";

/** Whether everything that the webhook, or forwarder, is sent is for the key to see. */
export function seesWebhook(key: Principal, { projectIds }: Pick<Webhook, "projectIds">): boolean {
  if (key.projectIds === undefined) return true;
  return projectIds?.every((id) => seesProject(key, id)) ?? false;
}

/**
 * A webhook that the key may see.
 * @throws DomainError `WEBHOOK_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export async function visibleWebhook(
  webhooks: WebhookRecords,
  request: FastifyRequest,
  id: WebhookId,
): Promise<Webhook> {
  // The path is not validated: text that is not an id names nothing, and never reaches the database.
  const webhook = isId(id) ? await webhooks.find(id) : undefined;
  if (webhook === undefined || !seesWebhook(principal(request), webhook)) {
    throw new DomainError("WEBHOOK_NOT_FOUND", `no webhook ${id}`);
  }
  return webhook;
}

/**
 * The projects of a subscription: those that were asked for, all of which the key must see; none named
 * means every project, which only a key that sees every project may ask for.
 * @throws DomainError `PROJECT_NOT_FOUND`, or ParameterError.
 */
export function subscribedProjects(
  directory: AssetDirectory,
  request: FastifyRequest,
  asked: readonly ProjectId[] | undefined,
): readonly ProjectId[] | undefined {
  if (asked === undefined && principal(request).projectIds !== undefined) {
    throw invalidParameter("project_ids", "must name projects: the API key does not see all");
  }
  return asked?.map((id) => visibleProject(directory, request, id, "project_ids").id);
}
