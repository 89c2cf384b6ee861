import { Registry } from "prom-client";
import { expect, it } from "vitest";
import type { ForwarderId } from "../../../domain/ids.ts";
import { registerForwardingMetrics } from "../../../ingest/forwarding/metrics.ts";

it("the metrics expose counts by outcome and how far each forwarder is behind", async () => {
  const registry = new Registry();
  const forwarderId = "f1" as ForwarderId;
  const progress = {
    forwarderId,
    journalId: "j1",
    sequence: 9,
    sent: 7,
    skipped: { without_position: 2 },
    lastSentAtMs: undefined,
    lastError: undefined,
    heldSinceMs: 1_000,
    behind: { records: 3, sinceMs: 1_000 },
  };
  registerForwardingMetrics(registry, { progress: [progress] }, () => 6_500);
  const text = await registry.metrics();
  expect(text.split("\n").filter((line) => line.startsWith("plumbline"))).toEqual([
    'plumbline_forwarded_readings_total{forwarder="f1",outcome="sent"} 7',
    'plumbline_forwarded_readings_total{forwarder="f1",outcome="without_position"} 2',
    'plumbline_forward_lag_records{forwarder="f1"} 3',
    'plumbline_forward_lag_seconds{forwarder="f1"} 5.5',
    'plumbline_forward_up{forwarder="f1"} 0',
  ]);
});
