import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { StrandedRecord, StrandedRecords } from "../../storage/ports/equipment/stranded.ts";
import type { JournalWriter } from "../../storage/ports/journal.ts";
import { encodeHandedOver } from "../journal-record/handed-over.ts";
import { RECORD_KIND } from "../journal-record/journal-record.ts";
import { appendDurably } from "../replay/append-durably.ts";

/**
 * How often the record store is asked, and how many records at once, ms. Longer delays records of another node;
 * shorter reads for nothing.
 */
const POLL_MS = 1_000;
const PAGE = 500;

export interface StrandedFollower {
  /** Records that were taken over from other nodes. */
  readonly taken: number;
  /** Waits for the poll in flight; what it took is deleted, or comes again at the next request. */
  stop(): Promise<void>;
}

/**
 * Takes over what other nodes acknowledged for these shards: into this node's journal first, out of the
 * record store once it is on disk there. A crash in between brings a record twice; its name, and the
 * fix times of its readings, say that it is the same.
 */
export function startStrandedFollower(options: {
  readonly records: StrandedRecords;
  readonly journal: Pick<JournalWriter, "append" | "state">;
  readonly shards: readonly number[];
  readonly log: Pick<Logger, "info" | "warn">;
  readonly now: () => number;
}): StrandedFollower {
  const { records, journal, shards, log, now } = options;
  const stopping = new AbortController();
  let taken = 0;

  function append({ journalId, sequence, record }: StrandedRecord): Promise<void> {
    const body = encodeHandedOver({ origin: { journalId, sequence }, record });
    return appendDurably(journal, RECORD_KIND.handedOver, now(), body);
  }

  /** Yields whether there may be more. */
  async function poll(): Promise<boolean> {
    if (journal.state !== "open") return false;
    const found = await records.ofShards(shards, PAGE);
    if (found.length === 0) return false;
    await Promise.all(found.map(append));
    await records.delete(found);
    taken += found.length;
    log.info({ records: found.length }, "took over records that another node had acknowledged");
    return found.length === PAGE;
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isMore = await poll().catch((error: unknown) => {
        log.warn({ err: error }, "stranded records cannot be taken over; trying again");
        return false;
      });
      if (!isMore) await delay(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const following = follow();
  return {
    get taken() {
      return taken;
    },
    async stop() {
      stopping.abort();
      await following;
    },
  };
}
