import type { FastifyPluginAsync } from "fastify";
import webhookDeliveries from "./webhook-deliveries.ts";
import webhooks, { type WebhooksOptions } from "./webhooks.ts";

/** Webhooks and what became of their deliveries; mounted at `/api/v1`. */
const webhookRoutes: FastifyPluginAsync<WebhooksOptions> = async (app, options) => {
  await app.register(webhooks, options);
  await app.register(webhookDeliveries, options);
};

export default webhookRoutes;
