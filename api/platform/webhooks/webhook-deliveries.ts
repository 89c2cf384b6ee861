import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { WebhookId } from "../../../domain/ids.ts";
import { createSecretSeal } from "../../../ingest/credentials/secret-seal.ts";
import { testMessage } from "../../../ingest/delivery/webhooks/message.ts";
import { replayAfter, replayDelivery } from "../../../ingest/delivery/webhooks/replay.ts";
import { createSender } from "../../../ingest/delivery/webhooks/sender.ts";
import { visibleWebhook } from "../../access/webhook-access.ts";
import { alsoNeeds } from "../../auth/also-needs.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { createWorkSlots } from "../../long-requests/work-slots.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { severalOf } from "../../schemas/several.ts";
import { begin, begunBefore, once } from "../../writes/once.ts";
import { Delivery, DeliveryList, deliveryView, WebhookPath } from "./webhook-schemas.ts";
import type { WebhooksOptions } from "./webhooks.ts";

/** The order of the list. */
const ORDER = sortedBy("-sequence");

const DeliveryPath = Type.Object({
  webhook_id: WebhookId,
  sequence: Type.String({ description: "Sequence of the event" }),
});
/** Sequences are exact in a double, and in the store's bigint. */
const SEQUENCE = /^\d{1,15}$/;

const ReplayRequest = Type.Object(
  {
    cursor: Type.String({
      pattern: "^[0-9]{1,15}$",
      description: "Events with a higher sequence are posted again; 0: all that are kept",
    }),
  },
  { title: "WebhookReplay" },
);

const ReplayOutcome = Type.Object(
  {
    queued: Type.Integer({ description: "Events that will be posted again" }),
    has_more: Type.Boolean(),
    next_cursor: Type.String({ description: "`cursor` of the next call, when there is more" }),
  },
  { title: "WebhookReplayOutcome" },
);

const TestOutcome = Type.Object(
  {
    delivered: Type.Boolean({ description: "Whether the receiver answered 2xx" }),
    message_id: Type.String(),
    http_status: Type.Optional(Type.Integer({ description: "Of the answer" })),
    error: Type.Optional(Type.String()),
    duration_ms: Type.Integer(),
  },
  { title: "WebhookTest" },
);

const COLUMNS: CsvColumns<Delivery> = {
  sequence: (delivery) => delivery.sequence,
  message_id: (delivery) => delivery.message_id,
  type: (delivery) => delivery.type,
  status: (delivery) => delivery.status,
  attempts: (delivery) => delivery.attempts,
  first_attempt_at: (delivery) => delivery.first_attempt_at,
  last_attempt_at: (delivery) => delivery.last_attempt_at,
  next_attempt_at: (delivery) => delivery.next_attempt_at,
  last_http_status: (delivery) => delivery.last_http_status,
  last_error: (delivery) => delivery.last_error,
  last_duration_ms: (delivery) => delivery.last_duration_ms,
};

/** Each holds the only connection of the embedded database for some 0.1 s. */
const REPLAYS = { what: "replays", perOwner: 1, inAll: 2, retryAfterS: 1 };

/** What became of a webhook's messages, and sending them again; mounted at `/api/v1`. */
const webhookDeliveries: FastifyPluginAsyncTypebox<WebhooksOptions> = async (app, options) => {
  const { records, outbound, changed, now } = options;
  const replaySlots = createWorkSlots(REPLAYS);
  const send = createSender({ outbound, seal: createSecretSeal(options.pepper, "webhooks"), now });
  const writing = { onRequest: alsoNeeds("equipment:write") };

  app.get(
    "/webhooks/:webhook_id/deliveries",
    {
      config: { access: "events:read" },
      schema: {
        operationId: "listWebhookDeliveries",
        tags: ["platform"],
        summary: "The deliveries of a webhook's messages, newest event first",
        params: WebhookPath,
        querystring: Type.Object({
          status: severalOf(Delivery.properties.status),
          ...ORDER.parameters,
        }),
        response: { 200: jsonOrCsv("Deliveries", DeliveryList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { status } = request.query;
      const page = ORDER.pageOf(request.query);
      const { id } = await visibleWebhook(records.webhooks, request, request.params.webhook_id);
      const filter = { ...(status === undefined ? {} : { states: status }), ...page };
      const { deliveries, total } = await records.webhooks.deliveries(id, filter);
      const data = deliveries.map(deliveryView);
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data, COLUMNS);
      }
      return reply.send({ data, pagination: paginationOf(page, data.length, total) });
    },
  );

  app.post(
    "/webhooks/:webhook_id/deliveries/:sequence/replay",
    {
      ...writing,
      config: { access: "events:read", once: "transaction" },
      schema: {
        operationId: "replayWebhookDelivery",
        tags: ["platform"],
        summary: "Post one message again, under the same id",
        params: DeliveryPath,
        response: { 200: Delivery, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { webhook_id, sequence } = request.params;
      const { id } = await visibleWebhook(records.webhooks, request, webhook_id);
      if (!SEQUENCE.test(sequence)) {
        throw new DomainError("DELIVERY_NOT_FOUND", `no delivery ${sequence}`);
      }
      const answer = await once(request, reply, records, async (transaction) =>
        deliveryView(await replayDelivery(transaction, id, Number(sequence), now())),
      );
      changed();
      return answer;
    },
  );

  app.post(
    "/webhooks/:webhook_id/replay",
    {
      ...writing,
      config: { access: "events:read", once: "transaction" },
      schema: {
        operationId: "replayWebhook",
        tags: ["platform"],
        summary: "Post everything since an event again, each message under the same id",
        description:
          "At most 500 events a call, one call at a time: `has_more` says whether to go on from `next_cursor`. Events that were never posted are still pending and not counted.",
        params: WebhookPath,
        body: ReplayRequest,
        response: { 200: ReplayOutcome, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const leave = replaySlots.enter(request, reply);
      try {
        const webhook = await visibleWebhook(records.webhooks, request, request.params.webhook_id);
        const answer = await once(request, reply, records, async (transaction) => {
          const range = await replayAfter(transaction, webhook, Number(request.body.cursor), now());
          return {
            queued: range.queued,
            has_more: range.hasMore,
            next_cursor: String(range.lastSequence),
          };
        });
        changed();
        return answer;
      } finally {
        leave();
      }
    },
  );

  app.post(
    "/webhooks/:webhook_id/test",
    {
      ...writing,
      config: { access: "events:read", once: "begun" },
      schema: {
        operationId: "testWebhook",
        tags: ["platform"],
        summary: "Post a `webhook.test` message now and return the response",
        params: WebhookPath,
        response: { 200: TestOutcome, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const webhook = await visibleWebhook(records.webhooks, request, request.params.webhook_id);
      const fresh = testMessage(webhook.id, now());
      // Posted again after a crash, it has the same id, by which the receiver recognises it.
      const id =
        begunBefore(request) ?? (await begin(request, reply, records, async () => fresh)).id;
      const message = { ...fresh, id };
      const { outcome, status, error, durationMs } = await send(webhook, message);
      return {
        delivered: outcome === "delivered",
        message_id: message.id,
        ...(status === undefined ? {} : { http_status: status }),
        ...(error === undefined ? {} : { error }),
        duration_ms: durationMs,
      };
    },
  );
};

export default webhookDeliveries;
