import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { registerWebhookMetrics } from "../../../../ingest/delivery/webhooks/metrics.ts";
import { answering, openHttpReceiver } from "../../../support/http-receiver.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { until } from "../../../support/until.ts";
import { openWebhookSite } from "../../../support/webhook-site.ts";

it("the metrics count attempts by outcome and pending deliveries by webhook", async () => {
  await using good = await openHttpReceiver();
  await using bad = await openHttpReceiver();
  bad.answer = answering(500);
  await using t = await openWebhookSite();
  const registry = new Registry();
  registerWebhookMetrics(registry, () => t.dispatcher.stats, t.records.webhooks);
  await t.subscribe("whk_good", good.url);
  const id = await t.subscribe("whk_bad", bad.url);
  await t.raiseMany(3);
  await until("recorded", async () => (await t.deliveries(id)).length === 3, PATIENT_MS);
  await until("delivered", () => t.dispatcher.stats.attempts.get("delivered") === 3, PATIENT_MS);
  const text = await registry.metrics();
  const lines = text.split("\n").filter((line) => !line.startsWith("#") && line !== "");
  expect(lines.toSorted()).toEqual([
    'plumbline_webhook_attempts_total{outcome="delivered"} 3',
    'plumbline_webhook_attempts_total{outcome="refused"} 3',
    "plumbline_webhook_expired_events_total 0",
    "plumbline_webhook_in_flight 0",
    'plumbline_webhook_pending{webhook="whk_bad"} 3',
    'plumbline_webhook_pending{webhook="whk_good"} 0',
    "plumbline_webhook_queued 0",
  ]);
  t.records.away = true;
  expect(await registry.metrics()).toContain("plumbline_webhook_in_flight 0");
  t.records.away = false;
});
