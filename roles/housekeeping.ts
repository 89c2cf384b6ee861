import { keepLease, type LeasedWork } from "../ingest/cluster/lease-keeper.ts";
import { WebhookDispatcher, type WebhookStats } from "../ingest/delivery/webhooks/dispatcher.ts";
import { registerWebhookMetrics } from "../ingest/delivery/webhooks/metrics.ts";
import { startRecordsExpiry } from "../ingest/records-expiry.ts";
import type { Replay } from "../ingest/replay/replay.ts";
import { startRequestedReplays } from "../ingest/replay/requested-replays.ts";
import { createClosers } from "./process/closers.ts";
import type { Common, Start } from "./process/common.ts";

const LEASE = "housekeeping";
const NO_STATS: WebhookStats = {
  attempts: new Map(),
  active: 0,
  queued: 0,
  inFlight: 0,
  expired: 0,
};

/** What one ingest process does for all. */
export interface Housekeeping {
  /** Polls for changed webhooks and due deliveries now, where this process posts them. */
  refreshWebhooks(): Promise<void>;
}

export interface HousekeepingOptions {
  readonly replay: Replay;
  /** The same after a restart; absent: there is no other process on this record store. */
  readonly holder: string | undefined;
}

/**
 * Posts webhooks, deletes records past their retention, and carries out the replays that API processes
 * ask for; in one of several processes at a time.
 */
export async function startHousekeeping(
  start: Start,
  common: Common,
  { replay, holder }: HousekeepingOptions,
): Promise<Housekeeping> {
  const { settings, log, closers, metrics } = start;
  const { records, feed, pepper, outbound } = common;
  let webhooks: WebhookDispatcher | undefined;

  async function work(): Promise<LeasedWork> {
    const parts = createClosers();
    const expiry = startRecordsExpiry({ records, retentionDays: settings.retentionDays, log });
    parts.push(() => expiry.stop());
    const replays = startRequestedReplays({
      records: records.quarantine,
      replay,
      now: Date.now,
      log,
    });
    parts.push(() => replays.stop());
    const dispatcher = await WebhookDispatcher.start({
      records,
      feed,
      pepper,
      outbound,
      now: Date.now,
      log,
    });
    webhooks = dispatcher;
    parts.push(() => {
      webhooks = undefined;
      return dispatcher.stop();
    });
    return { stop: () => parts.close() };
  }

  if (holder === undefined) {
    const alone = await work();
    closers.push(() => alone.stop());
  } else {
    const keeper = keepLease({ leases: records.leases, name: LEASE, holder, work, log });
    closers.push(() => keeper.stop());
  }
  registerWebhookMetrics(metrics, () => webhooks?.stats ?? NO_STATS, records.webhooks);
  return {
    async refreshWebhooks() {
      await webhooks?.refresh();
    },
  };
}
