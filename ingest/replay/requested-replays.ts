import type { Logger } from "pino";
import type {
  QuarantineEntry,
  QuarantineRecords,
} from "../../storage/ports/equipment/quarantine.ts";
import type { ReplayOutcome } from "./replay.ts";

/** How often requests of API processes are polled for, ms. Chosen: a person waits for it. */
const POLL_EVERY_MS = 500;
const REQUESTS_AT_ONCE = 100;

export interface RequestedReplays {
  /** Lets the replay at hand finish and stops. */
  stop(): Promise<void>;
}

/**
 * Carries out the replays that were asked for in processes without a journal. One that was journalled
 * but not yet noted when the process ended is done again, which stores nothing twice.
 */
export function startRequestedReplays(options: {
  readonly records: QuarantineRecords;
  readonly replay: (entry: QuarantineEntry) => Promise<ReplayOutcome>;
  readonly log: Pick<Logger, "warn">;
  readonly now: () => number;
  readonly pollEveryMs?: number;
}): RequestedReplays {
  const { records, replay, log, now, pollEveryMs = POLL_EVERY_MS } = options;
  let isStopped = false;
  let isTroubled = false;
  let polling: Promise<void> | undefined;

  async function replayAll(): Promise<void> {
    for (const entry of await records.requestedReplays(REQUESTS_AT_ONCE)) {
      if (isStopped) return;
      const { accepted, reason } = await replay(entry);
      if (accepted) await records.markReplayed(entry.id, now());
      else {
        log.warn({ id: entry.id, reason }, "a replay that was asked for cannot be done");
        await records.dropReplayRequest(entry.id);
      }
    }
  }

  async function poll(): Promise<void> {
    try {
      await replayAll();
      isTroubled = false;
    } catch (error) {
      // Once per outage: the next poll tries again.
      if (!isTroubled) log.warn({ err: error }, "replays wait; trying again");
      isTroubled = true;
    }
  }

  const timer = setInterval(() => {
    polling ??= poll().finally(() => {
      polling = undefined;
    });
  }, pollEveryMs);

  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await polling;
    },
  };
}
