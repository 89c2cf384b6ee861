import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import type { ForwarderId } from "../../domain/ids.ts";
import { createSecretSeal } from "../../ingest/credentials/secret-seal.ts";
import { Forwarding } from "../../ingest/forwarding/forwarding.ts";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { openOutboundClient } from "../../outbound/client.ts";
import { createMqttSockets } from "../../outbound/mqtt-address.ts";
import type { Forwarder } from "../../storage/ports/events/forwarders.ts";
import { openMemoryRecords } from "../../test/support/memory-records.ts";
import type { Filled } from "./filled-journal.ts";

const LOOK_MS = 2;

/** Passes the whole journal on, until the receiver has confirmed all of it. */
export async function passOn(
  { journal, directory }: Filled,
  { kind, url }: Pick<Forwarder, "kind" | "url">,
): Promise<void> {
  const records = openMemoryRecords();
  await records.forwarders.insert({
    id: "f1" as ForwarderId,
    name: "bench",
    kind,
    url,
    format: kind === "mqtt" ? "plumbline" : "traccar",
    topic: kind === "mqtt" ? "sites/{project}/assets/{asset}/telemetry" : undefined,
    projectIds: undefined,
    credentials: undefined,
    status: "active",
    startAtMs: 0,
    createdAtMs: 0,
    updatedAtMs: 0,
  });
  const use = { rules: createAddressRules(["127.0.0.0/8"]), resolve: async () => [] };
  const outbound = openOutboundClient(use);
  const forwarding = new Forwarding({
    journal,
    records: records.forwarders,
    directory,
    lastFix: () => undefined,
    seal: createSecretSeal(new Uint8Array(32), "forwarders"),
    outbound,
    sockets: createMqttSockets(use),
    now: Date.now,
    log: pino({ level: "warn" }),
  });
  await forwarding.refresh();
  while (forwarding.progress[0]?.sequence !== journal.syncedSequence) await delay(LOOK_MS);
  await forwarding.stop();
  outbound.close();
}
