import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import type { Journal, JournalPosition, JournalRecord } from "../../storage/ports/journal.ts";
import type { TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { startingSequence } from "../events/journal-gap.ts";
import { ReadingColumns } from "../journal-record/reading-columns.ts";
import { RecordPoints } from "../journal-record/record-points.ts";

const READ = { records: 2_000, bytes: 4 * 1024 * 1024 };
const RETRY_MS = { first: 250, longest: 5_000 };
const EXPIRE_EVERY_MS = HOUR_MS;

export interface TelemetryWriter {
  /** The journal place up to which every reading can be read back. */
  readonly writtenSequence: number;
  /** Why it has stopped, or `undefined` while it runs. */
  readonly stalled: string | undefined;
  stop(): Promise<void>;
}

/** Follows the journal into the telemetry store, at its own pace and independent of the pipeline. */
export function startTelemetryWriter(options: {
  readonly journal: Journal;
  readonly telemetry: TelemetryStore;
  readonly retentionDays: number;
  readonly log: Logger;
  readonly now?: () => number;
}): TelemetryWriter {
  const { journal, telemetry, retentionDays, log, now = Date.now } = options;
  const cursor = journal.cursor("telemetry");
  const start = startingSequence(journal, telemetry.durablePosition, "telemetry");
  if (start.gap !== undefined) {
    log.error({ ...start.gap.data }, "journal gap: telemetry starts at the oldest record");
  }
  telemetry.onDurable((position) => {
    if (position.journalId === journal.id) cursor.advance(position.sequence);
  });
  const columns = new ReadingColumns();
  const stopping = new AbortController();
  let written = start.sequence - 1;
  let stalled: string | undefined;

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await journal.waitFor(written + 1, stopping.signal);
      if (stopping.signal.aborted) return;
      const { syncedSequence } = journal;
      const records = await journal.read(written + 1, READ);
      // No record, although there should be: those up to here are gone.
      const sequence = records.at(-1)?.sequence ?? syncedSequence;
      await writeAll(records, { journalId: journal.id, sequence });
      written = sequence;
    }
  }

  async function writeAll(
    records: readonly JournalRecord[],
    position: JournalPosition,
  ): Promise<void> {
    for (let pauseMs = RETRY_MS.first; ; pauseMs = Math.min(pauseMs * 2, RETRY_MS.longest)) {
      try {
        await telemetry.writeRun(new RecordPoints(records, columns), position);
        stalled = undefined;
        return;
      } catch (error) {
        if (!(error instanceof DomainError) || stopping.signal.aborted) throw error;
        stalled = `telemetry store: ${error.message}`;
        log.warn({ err: error }, "telemetry write failed; trying again");
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  function expire(): void {
    telemetry
      .expire(now() - retentionDays * DAY_MS)
      .catch((error: unknown) => log.warn({ err: error }, "retention failed; trying again later"));
  }

  const expirer = setInterval(expire, EXPIRE_EVERY_MS);
  expire();
  const following = follow().catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    stalled = `telemetry writer: ${error instanceof Error ? error.message : String(error)}`;
    log.fatal({ err: error }, "telemetry writer stopped");
  });

  return {
    get writtenSequence() {
      return written;
    },
    get stalled() {
      return stalled;
    },
    async stop() {
      clearInterval(expirer);
      stopping.abort();
      await following;
    },
  };
}
