import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { isTypeFilter } from "../../../domain/events/event-filter.ts";
import { newId, type WebhookId } from "../../../domain/ids.ts";
import { createSecretSeal } from "../../../ingest/credentials/secret-seal.ts";
import { newSigningSecret, signingKey } from "../../../ingest/delivery/webhooks/signature.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { Webhook as StoredWebhook } from "../../../storage/ports/events/webhooks.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { seesWebhook, subscribedProjects, visibleWebhook } from "../../access/webhook-access.ts";
import { alsoNeeds } from "../../auth/also-needs.ts";
import { principal } from "../../auth/guard.ts";
import type { WebhookDependencies } from "../../dependencies/dependencies.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { type CsvColumns, sendList } from "../../representations/send-list.ts";
import { sortedBy } from "../../schemas/page.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { once } from "../../writes/once.ts";
import { ifMatching, noteState, removeMatching } from "../../writes/resource-tag.ts";
import {
  CreatedWebhook,
  NewWebhook,
  RotatedSecret,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookList,
  WebhookPath,
  webhookView,
} from "./webhook-schemas.ts";

/** The order of the list. */
const ORDER = sortedBy("created_at");

export interface WebhooksOptions extends WebhookDependencies {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly pepper: Uint8Array;
  readonly now: () => number;
}

/** How long a replaced secret signs beside its successor, s. Chosen: receivers are changed by people. */
const OVERLAP_S = 86_400;
/** Secrets that sign at once: the new one and those that it replaced. Chosen. */
const MAX_SECRETS = 5;

const COLUMNS: CsvColumns<Webhook> = {
  id: (webhook) => webhook.id,
  name: (webhook) => webhook.name,
  url: (webhook) => webhook.url,
  types: (webhook) => webhook.types.join(" "),
  project_ids: (webhook) => webhook.project_ids?.join(" "),
  status: (webhook) => webhook.status,
  disabled_reason: (webhook) => webhook.disabled_reason,
  created_at: (webhook) => webhook.created_at,
  updated_at: (webhook) => webhook.updated_at,
};

const HINT =
  "The secret was in the first answer only; POST /api/v1/webhooks/{id}/rotate-secret makes a new one";

/** The answer as it is kept for a repeated request: our database holds secrets sealed only. */
function withoutSecret(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { secret: _secret, ...rest } = body;
  return { ...rest, hint: HINT };
}

/** Webhook subscriptions, mounted at `/api/v1`; deliveries are in `webhook-deliveries.ts`. */
const webhooks: FastifyPluginAsyncTypebox<WebhooksOptions> = async (app, options) => {
  const { records, directory, outbound, changed, now } = options;
  const seal = createSecretSeal(options.pepper, "webhooks");
  const writing = { onRequest: alsoNeeds("equipment:write") };

  async function requireUsable(url: string): Promise<void> {
    const problem = await outbound.check(url);
    if (problem !== undefined) throw invalidParameter("url", problem);
  }

  function issueSecret(id: WebhookId, given: string | undefined) {
    const secret = given ?? newSigningSecret();
    const stored = { sealed: seal.seal(id, secret), createdAtMs: now(), expiresAtMs: undefined };
    return { secret, stored };
  }

  app.post(
    "/webhooks",
    {
      ...writing,
      config: { access: "events:read", once: "transaction", withoutSecret, sends: ["Location"] },
      schema: {
        operationId: "createWebhook",
        tags: ["platform"],
        summary: "Have events posted to a URL; the signing secret is shown once",
        description:
          "Messages follow Standard Webhooks: headers webhook-id, webhook-timestamp and webhook-signature, body {type, timestamp, data}. Begins with the next event.",
        body: NewWebhook,
        response: { 201: CreatedWebhook, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      requireTypes(body.types);
      requireSecret(body.secret);
      await requireUsable(body.url);
      const projectIds = subscribedProjects(directory, request, body.project_ids);
      const id = newId<WebhookId>("whk");
      const { secret, stored } = issueSecret(id, body.secret);
      const webhook = {
        id,
        name: body.name ?? new URL(body.url).hostname,
        url: body.url,
        types: body.types ?? [],
        projectIds,
        status: "active",
        disabledReason: undefined,
        secrets: [stored],
        createdAtMs: now(),
        updatedAtMs: now(),
      } as const;
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.webhooks.insert(webhook);
        return { ...webhookView(webhook), secret };
      });
      changed();
      return reply
        .header("location", `/api/v1/webhooks/${id}`)
        .header("cache-control", "no-store")
        .send(answer);
    },
  );

  app.get(
    "/webhooks",
    {
      config: { access: "events:read" },
      schema: {
        operationId: "listWebhooks",
        tags: ["platform"],
        summary: "Webhooks that send only events of projects that the key may see",
        querystring: Type.Object(ORDER.parameters),
        response: { 200: jsonOrCsv("Webhooks", WebhookList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const all = await records.webhooks.list();
      const visible = all.filter((webhook) => seesWebhook(principal(request), webhook));
      return sendList(
        request,
        reply,
        visible.map(webhookView),
        ORDER.pageOf(request.query),
        COLUMNS,
      );
    },
  );

  app.get(
    "/webhooks/:webhook_id",
    {
      config: { access: "events:read", tagged: true },
      schema: {
        operationId: "getWebhook",
        tags: ["platform"],
        summary: "One webhook, without its secret",
        params: WebhookPath,
        response: { 200: Webhook, ...FAILURES },
      },
    },
    async (request) => {
      const { webhook_id } = request.params;
      const webhook = await visibleWebhook(records.webhooks, request, webhook_id);
      noteState(request, webhook);
      return webhookView(webhook);
    },
  );

  app.patch(
    "/webhooks/:webhook_id",
    {
      ...writing,
      config: { access: "events:read", tagged: true },
      schema: {
        operationId: "updateWebhook",
        tags: ["platform"],
        summary: "Change, disable or enable a webhook; absent fields stay as they are",
        description:
          "What happens while it is disabled is posted when it is enabled, unless `skip_missed` is true. Changed types and projects apply to every event that is recorded after the answer, and to older ones that are not posted yet. Events that are older than RETENTION_DAYS are deleted while a webhook is disabled.",
        params: WebhookPath,
        body: WebhookChange,
        response: { 200: Webhook, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { body } = request;
      requireTypes(body.types);
      if (body.url !== undefined) await requireUsable(body.url);
      const { id, status } = await visibleWebhook(
        records.webhooks,
        request,
        request.params.webhook_id,
      );
      const projectIds =
        body.project_ids === undefined
          ? undefined
          : { projectIds: subscribedProjects(directory, request, body.project_ids ?? undefined) };
      const change = (before: StoredWebhook): StoredWebhook => ({
        ...before,
        ...projectIds,
        name: body.name ?? before.name,
        url: body.url ?? before.url,
        types: body.types ?? before.types,
        ...statusAfter(before, body.status),
        updatedAtMs: now(),
      });
      const isEnabled = body.status === "active" && status === "disabled";
      const skipMissed = isEnabled && body.skip_missed === true;
      const matching = ifMatching(request, change);
      const after = await records.webhooks.update(id, matching, { skipMissed });
      changed();
      return webhookView(after);
    },
  );

  app.delete(
    "/webhooks/:webhook_id",
    {
      ...writing,
      config: { access: "events:read", tagged: true },
      schema: {
        operationId: "deleteWebhook",
        tags: ["platform"],
        summary: "Remove a webhook and its delivery log",
        params: WebhookPath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { id } = await visibleWebhook(records.webhooks, request, request.params.webhook_id);
      await removeMatching(
        request,
        records,
        (transaction, keep) => transaction.webhooks.update(id, keep),
        ({ webhooks }) => webhooks.delete(id),
      );
      changed();
      return reply.code(204).send(null);
    },
  );

  app.post(
    "/webhooks/:webhook_id/rotate-secret",
    {
      ...writing,
      config: { access: "events:read", once: "transaction", withoutSecret },
      schema: {
        operationId: "rotateWebhookSecret",
        tags: ["platform"],
        summary: "Make a new signing secret; the old one stays valid beside it for a while",
        params: WebhookPath,
        body: Type.Union([SecretRotation, Type.Null()]),
        response: { 201: RotatedSecret, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { secret: given, expires_in_s = OVERLAP_S } = request.body ?? {};
      requireSecret(given);
      const { id } = await visibleWebhook(records.webhooks, request, request.params.webhook_id);
      const { secret, stored } = issueSecret(id, given);
      const endMs = now() + expires_in_s * 1000;
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.webhooks.update(id, (before) => ({
          ...before,
          secrets: [
            stored,
            ...before.secrets
              .map((old) => ({ ...old, expiresAtMs: Math.min(old.expiresAtMs ?? endMs, endMs) }))
              .filter((old) => old.expiresAtMs > now()),
          ].slice(0, MAX_SECRETS),
          updatedAtMs: now(),
        }));
        return { id, secret, previous_expires_at: new Date(endMs).toISOString() };
      });
      changed();
      return reply.header("cache-control", "no-store").send(answer);
    },
  );
};

function statusAfter(
  before: StoredWebhook,
  asked: StoredWebhook["status"] | undefined,
): Pick<StoredWebhook, "status" | "disabledReason"> {
  const { status, disabledReason } = before;
  if (asked === undefined || asked === status) return { status, disabledReason };
  return { status: asked, disabledReason: asked === "disabled" ? "by a person" : undefined };
}

/** @throws ParameterError for a filter that matches no type there is. */
function requireTypes(types: readonly string[] | undefined): void {
  for (const [i, type] of (types ?? []).entries()) {
    if (!isTypeFilter(type)) throw invalidParameter(`types.${i}`, "matches no event type");
  }
}

/** @throws ParameterError for text that is not a signing secret. */
function requireSecret(secret: string | undefined): void {
  if (secret !== undefined && signingKey(secret) === undefined) {
    throw invalidParameter("secret", "must be whsec_ and 24 to 64 bytes as base64");
  }
}

export default webhooks;
