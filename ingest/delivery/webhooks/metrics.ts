import { Counter, Gauge, type Registry } from "prom-client";
import type { WebhookRecords } from "../../../storage/ports/events/webhooks.ts";
import type { WebhookStats } from "./dispatcher.ts";

/** Exposes webhook deliveries to Prometheus; values are read at each scrape. */
export function registerWebhookMetrics(
  registry: Registry,
  stats: () => WebhookStats,
  records: Pick<WebhookRecords, "list" | "deliveries">,
): void {
  const registers = [registry];
  new Counter({
    name: "plumbline_webhook_attempts_total",
    help: "Requests to webhooks by what became of them",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of stats().attempts) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: "plumbline_webhook_expired_events_total",
    help: "Events that retention deleted before they could be posted to a webhook that was disabled",
    registers,
    collect() {
      this.reset();
      this.inc(stats().expired);
    },
  });
  new Gauge({
    name: "plumbline_webhook_queued",
    help: "Events in memory that wait to be posted",
    registers,
    collect() {
      this.set(stats().queued);
    },
  });
  new Gauge({
    name: "plumbline_webhook_in_flight",
    help: "Requests to webhooks that wait for an answer",
    registers,
    collect() {
      this.set(stats().inFlight);
    },
  });
  new Gauge({
    name: "plumbline_webhook_pending",
    help: "Deliveries that wait for their next attempt, by webhook",
    labelNames: ["webhook"],
    registers,
    async collect() {
      try {
        const counts = await countPending(records);
        this.reset();
        for (const [webhook, count] of counts) this.set({ webhook }, count);
      } catch {
        // The store is away: a scrape that fails would hide every other figure.
      }
    },
  });
}

async function countPending(
  records: Pick<WebhookRecords, "list" | "deliveries">,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { id } of await records.list()) {
    const { total } = await records.deliveries(id, { states: ["pending"], limit: 1, offset: 0 });
    counts.set(id, total);
  }
  return counts;
}
