import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { SESSION_IDLE_MS, SESSION_MAX_MS } from "../domain/platform/session.ts";
import { DAY_MS, HOUR_MS } from "../domain/time.ts";
import type { RecordStore } from "../storage/ports/record-store.ts";

const EXPIRE_EVERY_MS = HOUR_MS;
/** Pause between two calls that delete, ms: the pipeline's commits come first. Chosen: one commit's. */
const PAUSE_MS = 50;

/** The ports whose rows have an end. Maintenance, fences and utilisation are kept for ever. */
const EXPIRING = [
  "quarantine",
  "visits",
  "alerts",
  "alertMutes",
  "webhooks",
  "commands",
  "events",
  "eventReaders",
  "telemetryDeadLetters",
  "jobs",
  "siteCameras",
  "connections",
  "sessions",
  "requestCounts",
] as const;

type ExpiringRecords = Pick<RecordStore, (typeof EXPIRING)[number]>;

export interface RecordsExpiry {
  /** Lets the call at hand finish and stops. */
  stop(): Promise<void>;
}

/**
 * Deletes what is older than the retention from the record store, at once and then every hour, a
 * bounded number of rows at a time. What fails is tried again the next hour.
 */
export function startRecordsExpiry(options: {
  readonly records: ExpiringRecords;
  readonly retentionDays: number;
  readonly log: Logger;
  readonly now?: () => number;
}): RecordsExpiry {
  const { records, retentionDays, log, now = Date.now } = options;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function expireAll(): Promise<void> {
    const nowMs = now();
    for (const port of EXPIRING) {
      try {
        while (!stopping.signal.aborted && (await expire(records, port, nowMs, retentionDays))) {
          await delay(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
        }
      } catch (error) {
        log.warn({ err: error, port }, "retention of records failed; trying again later");
      }
    }
  }

  /** A run that takes longer than an hour is not joined by another. */
  function expireOnce(): void {
    running ??= expireAll().finally(() => {
      running = undefined;
    });
  }

  const timer = setInterval(expireOnce, EXPIRE_EVERY_MS);
  expireOnce();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

/** Labels of cameras never expire; sessions and counts have lifetimes of their own. */
function expire(
  records: ExpiringRecords,
  port: (typeof EXPIRING)[number],
  nowMs: number,
  retentionDays: number,
): Promise<boolean> {
  if (port === "sessions") {
    return records.sessions.expire(nowMs - SESSION_IDLE_MS, nowMs - SESSION_MAX_MS);
  }
  if (port === "requestCounts") return records.requestCounts.expire();
  const beforeMs = nowMs - retentionDays * DAY_MS;
  if (port === "siteCameras") return records.siteCameras.expireViews(beforeMs);
  return records[port].expire(beforeMs);
}
