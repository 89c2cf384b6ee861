import { startWebhooks, type WebhookDispatcher } from "../ingest/delivery/webhooks/dispatcher.ts";
import { registerWebhookMetrics } from "../ingest/delivery/webhooks/metrics.ts";
import { startRecordsExpiry } from "../ingest/records-expiry.ts";
import type { Common, Start } from "./common.ts";

/** What one process does for all: webhooks are posted, and records past their retention deleted. */
export async function startHousekeeping(start: Start, common: Common): Promise<WebhookDispatcher> {
  const { settings, log, closers, metrics } = start;
  const { records, feed, pepper, outbound } = common;
  const expiry = startRecordsExpiry({ records, retentionDays: settings.retentionDays, log });
  closers.push(() => expiry.stop());
  const webhooks = await startWebhooks({ records, feed, pepper, outbound, now: Date.now, log });
  closers.push(() => webhooks.stop());
  registerWebhookMetrics(metrics, webhooks, records.webhooks);
  return webhooks;
}
