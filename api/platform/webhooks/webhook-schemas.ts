import { type Static, Type } from "typebox";
import { ProjectId, WebhookId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import { MAX_URL_LENGTH } from "../../../outbound/target.ts";
import type {
  Webhook as StoredWebhook,
  WebhookDelivery,
} from "../../../storage/ports/events/webhooks.ts";
import { listOf } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Url = Type.String({
  minLength: 1,
  maxLength: MAX_URL_LENGTH,
  description: "http or https; public addresses, and those of OUTBOUND_ALLOW_CIDRS",
});
const Types = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 100,
  uniqueItems: true,
  title: "EventTypePatterns",
  description:
    "Event types; `*` at the end matches any ending; empty: every type. A type includes its revisions and withdrawals",
});
const Projects = Type.Array(ProjectId, {
  title: "ProjectIds",
  minItems: 1,
  maxItems: 1_000,
  uniqueItems: true,
});
const Status = Type.Enum(["active", "disabled"]);
const Secret = Type.String({
  maxLength: 100,
  description: "`whsec_` and 24 to 64 bytes as base64; absent: one is made",
});

export const NewWebhook = Type.Object(
  {
    url: Url,
    name: Type.Optional(Name),
    types: Type.Optional(Types),
    project_ids: Type.Optional(Projects),
    secret: Type.Optional(Secret),
  },
  { title: "NewWebhook" },
);

export const WebhookChange = Type.Object(
  {
    url: Type.Optional(Url),
    name: Type.Optional(Name),
    types: Type.Optional(Types),
    project_ids: Type.Optional(
      Type.Union([Projects, Type.Null()], { description: "null: every project" }),
    ),
    status: Type.Optional(Status),
    skip_missed: Type.Optional(
      Type.Boolean({
        description: "With `status` active: skip what happened while it was disabled",
      }),
    ),
  },
  { title: "WebhookChange" },
);
export type WebhookChange = Static<typeof WebhookChange>;

export const Webhook = Type.Object(
  {
    id: WebhookId,
    name: Type.String(),
    url: Type.String(),
    types: Type.Array(Type.String()),
    project_ids: Type.Optional(
      Type.Array(ProjectId, { description: "Absent: every project, and events of no project" }),
    ),
    status: Status,
    disabled_reason: Type.Optional(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Webhook" },
);
export type Webhook = Static<typeof Webhook>;

const IssuedSecret = {
  secret: Type.Optional(
    Type.String({ description: "Shown once: absent when the answer is repeated" }),
  ),
  hint: Type.Optional(Type.String()),
};

export const CreatedWebhook = Type.Object(
  { ...Webhook.properties, ...IssuedSecret },
  { title: "CreatedWebhook" },
);

export const SecretRotation = Type.Object(
  {
    secret: Type.Optional(Secret),
    expires_in_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        description: "How long the old secret signs beside the new one, s; default 24 h",
      }),
    ),
  },
  { title: "SecretRotation" },
);

export const RotatedSecret = Type.Object(
  { id: WebhookId, ...IssuedSecret, previous_expires_at: Timestamp },
  { title: "RotatedSecret" },
);

export const WebhookList = listOf("WebhookList", Webhook);

export const Delivery = Type.Object(
  {
    sequence: Type.Integer({ description: "Sequence of the event" }),
    message_id: Type.String({ description: "The webhook-id header, the same at every attempt" }),
    type: Type.String({ description: "Type of the event" }),
    status: Type.Enum(["pending", "delivered", "failed"]),
    attempts: Type.Integer(),
    first_attempt_at: Type.Optional(Timestamp),
    last_attempt_at: Type.Optional(Timestamp),
    next_attempt_at: Type.Optional(Timestamp),
    last_http_status: Type.Optional(
      Type.Integer({ description: "HTTP status of the last answer" }),
    ),
    last_error: Type.Optional(Type.String()),
    last_duration_ms: Type.Optional(Type.Integer()),
  },
  { title: "WebhookDelivery" },
);
export type Delivery = Static<typeof Delivery>;

export const DeliveryList = listOf("WebhookDeliveryList", Delivery);

export const WebhookPath = Type.Object({ webhook_id: WebhookId });

/** A webhook as clients read it, without its secrets. */
export function webhookView(webhook: Omit<StoredWebhook, "subscription">): Webhook {
  const { projectIds, disabledReason } = webhook;
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    types: [...webhook.types],
    ...(projectIds === undefined ? {} : { project_ids: [...projectIds] }),
    status: webhook.status,
    ...(disabledReason === undefined ? {} : { disabled_reason: disabledReason }),
    created_at: isoTime(webhook.createdAtMs),
    updated_at: isoTime(webhook.updatedAtMs),
  };
}

/** A line of the delivery log as clients read it. */
export function deliveryView(delivery: WebhookDelivery): Delivery {
  const { firstAttemptAtMs, lastAttemptAtMs, nextAttemptAtMs } = delivery;
  const { lastStatus, lastError, lastDurationMs } = delivery;
  return {
    sequence: delivery.eventSequence,
    message_id: delivery.messageId,
    type: delivery.eventType,
    status: delivery.state,
    attempts: delivery.attempts,
    ...(firstAttemptAtMs === undefined ? {} : { first_attempt_at: isoTime(firstAttemptAtMs) }),
    ...(lastAttemptAtMs === undefined ? {} : { last_attempt_at: isoTime(lastAttemptAtMs) }),
    ...(nextAttemptAtMs === undefined ? {} : { next_attempt_at: isoTime(nextAttemptAtMs) }),
    ...(lastStatus === undefined ? {} : { last_http_status: lastStatus }),
    ...(lastError === undefined ? {} : { last_error: lastError }),
    ...(lastDurationMs === undefined ? {} : { last_duration_ms: lastDurationMs }),
  };
}
