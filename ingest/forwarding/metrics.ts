import { Counter, Gauge, type Registry } from "prom-client";
import type { ForwarderProgress } from "../../storage/ports/events/forwarders.ts";
import type { Forwarding } from "./forwarding.ts";

/** Exposes forwarding to Prometheus; values are read at each scrape. */
export function registerForwardingMetrics(
  registry: Registry,
  forwarding: Pick<Forwarding, "progress">,
  now: () => number,
): void {
  const registers = [registry];
  new Counter({
    name: "plumbline_forwarded_readings_total",
    help: "Readings by forwarder and what became of them: sent, or the reason why they were left out",
    labelNames: ["forwarder", "outcome"],
    registers,
    collect() {
      this.reset();
      for (const { forwarderId: forwarder, sent, skipped } of forwarding.progress) {
        this.inc({ forwarder, outcome: "sent" }, sent);
        for (const [outcome, count] of Object.entries(skipped))
          this.inc({ forwarder, outcome }, count);
      }
    },
  });
  const gauges: readonly (readonly [string, string, (of: ForwarderProgress) => number])[] = [
    [
      "lag_records",
      "Journal records that are not dealt with",
      ({ behind }) => behind?.records ?? 0,
    ],
    [
      "lag_seconds",
      "Time since the oldest of them was acknowledged, s",
      ({ behind }) => (behind === undefined ? 0 : Math.max(0, now() - behind.sinceMs) / 1_000),
    ],
    ["up", "0 while nothing gets through", ({ heldSinceMs }) => Number(heldSinceMs === undefined)],
  ];
  for (const [name, help, value] of gauges) {
    new Gauge({
      name: `plumbline_forward_${name}`,
      help: `${help}, by forwarder`,
      labelNames: ["forwarder"],
      registers,
      collect() {
        this.reset();
        for (const one of forwarding.progress) this.set({ forwarder: one.forwarderId }, value(one));
      },
    });
  }
}
