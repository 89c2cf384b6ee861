import type { AssetId } from "../../domain/ids.ts";
import type { Fix } from "../../ingest/asset-state/asset-state.ts";
import { createSecretSeal } from "../../ingest/credentials/secret-seal.ts";
import { Forwarding } from "../../ingest/forwarding/forwarding.ts";
import { registerForwardingMetrics } from "../../ingest/forwarding/metrics.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import type { Common, Start } from "../process/common.ts";

/** Passes the readings of this process's journal on to the systems that people named. */
export function startReadingForwarders(
  { log, closers, metrics }: Pick<Start, "log" | "closers" | "metrics">,
  { records, pepper, directory, outbound, mqttSockets: sockets }: Common,
  journal: Journal,
  lastFix: (assetId: AssetId) => Fix | undefined,
): Forwarding {
  const forwarding = new Forwarding({
    journal,
    records: records.forwarders,
    directory,
    lastFix,
    seal: createSecretSeal(pepper, "forwarders"),
    outbound,
    sockets,
    now: Date.now,
    log,
  });
  closers.push(() => forwarding.stop());
  registerForwardingMetrics(metrics, forwarding, Date.now);
  return forwarding;
}
