import type { AssetId } from "../../domain/ids.ts";
import type { Fix } from "../../ingest/asset-state/asset-state.ts";
import { createSecretSeal } from "../../ingest/credentials/secret-seal.ts";
import { Forwarding, type ForwardingOptions } from "../../ingest/forwarding/forwarding.ts";
import { createJournalHold } from "../../ingest/forwarding/journal-hold.ts";
import { registerForwardingMetrics } from "../../ingest/forwarding/metrics.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import type { Common, Start } from "../process/common.ts";

/** Passes the readings of this process's journal on to the systems that people named. */
export function startReadingForwarders(
  { log, closers, metrics }: Pick<Start, "log" | "closers" | "metrics">,
  common: Common,
  journal: Journal,
  lastFix: (assetId: AssetId) => Fix | undefined,
): Forwarding {
  const parts = forwardingParts({ log }, common);
  const hold = createJournalHold(journal);
  const forwarding = new Forwarding({ ...parts, journal, hold, lastFix });
  closers.push(() => forwarding.stop());
  registerForwardingMetrics(metrics, forwarding, Date.now);
  return forwarding;
}

/** What forwarding needs beside a journal and the fixes of assets. */
export function forwardingParts(
  { log }: Pick<Start, "log">,
  { records, pepper, directory, outbound, mqttSockets: sockets }: Common,
): Omit<ForwardingOptions, "journal" | "lastFix"> {
  return {
    records: records.forwarders,
    directory,
    seal: createSecretSeal(pepper, "forwarders"),
    outbound,
    sockets,
    now: Date.now,
    log,
  };
}
