import type { components, operations } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import { type Tagged, tagged } from "../form/tagged.ts";

type Schemas = components["schemas"];
export type Webhook = Schemas["Webhook"];
export type CreatedWebhook = Schemas["CreatedWebhook"];
export type Delivery = Schemas["WebhookDelivery"];
export type NewWebhook = Schemas["NewWebhook"];
type WebhookChange = operations["updateWebhook"]["requestBody"]["content"]["application/json"];

/** As many as one answer holds. */
const MOST = 1_000;

const pathOf = (id: string) => ({ path: { webhook_id: id } });

export const readWebhooks = (): Promise<Outcome<Schemas["WebhookList"]>> =>
  outcomeOf(api.GET("/api/v1/webhooks", { params: { query: { limit: MOST } } }));

export const readWebhook = (id: string): Promise<Outcome<Tagged<Webhook>>> =>
  outcomeOf<Webhook, Tagged<Webhook>>(
    api.GET("/api/v1/webhooks/{webhook_id}", { params: pathOf(id) }),
    tagged,
  );

export const createWebhook = (body: NewWebhook, key: string): Promise<Outcome<CreatedWebhook>> =>
  outcomeOf<CreatedWebhook>(
    api.POST("/api/v1/webhooks", {
      params: { header: { "Idempotency-Key": key } },
      body,
    }),
  );

/** @param etag Absent: whatever is stored is changed. 412: somebody else changed it since. */
export const changeWebhook = (
  id: string,
  body: WebhookChange,
  etag?: string,
): Promise<Outcome<Webhook>> =>
  outcomeOf<Webhook>(
    api.PATCH("/api/v1/webhooks/{webhook_id}", {
      params: { ...pathOf(id), ...(etag === undefined ? {} : { header: { "If-Match": etag } }) },
      body,
    }),
  );

export const deleteWebhook = (id: string): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(api.DELETE("/api/v1/webhooks/{webhook_id}", { params: pathOf(id) }));

export const rotateSecret = (id: string, key: string): Promise<Outcome<Schemas["RotatedSecret"]>> =>
  outcomeOf(
    api.POST("/api/v1/webhooks/{webhook_id}/rotate-secret", {
      params: { ...pathOf(id), header: { "Idempotency-Key": key } },
      body: {},
    }),
  );

export const testWebhook = (id: string, key: string): Promise<Outcome<Schemas["WebhookTest"]>> =>
  outcomeOf(
    api.POST("/api/v1/webhooks/{webhook_id}/test", {
      params: { ...pathOf(id), header: { "Idempotency-Key": key } },
    }),
  );

export const readDeliveries = (
  id: string,
  status: Delivery["status"] | "",
  limit: number,
): Promise<Outcome<Schemas["WebhookDeliveryList"]>> =>
  outcomeOf(
    api.GET("/api/v1/webhooks/{webhook_id}/deliveries", {
      params: { ...pathOf(id), query: { limit, ...(status === "" ? {} : { status: [status] }) } },
    }),
  );

export const replayDelivery = (
  id: string,
  sequence: number,
  key: string,
): Promise<Outcome<Delivery>> =>
  outcomeOf(
    api.POST("/api/v1/webhooks/{webhook_id}/deliveries/{sequence}/replay", {
      params: {
        path: { webhook_id: id, sequence: String(sequence) },
        header: { "Idempotency-Key": key },
      },
    }),
  );
