import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Forwarder, ForwarderProgress } from "../../storage/ports/events/forwarders.ts";
import type { Journal, JournalRecord } from "../../storage/ports/journal.ts";
import { createWakeablePause } from "../pacing/wakeable-pause.ts";
import { OpenRecords } from "./open-records.ts";
import type { OnTrouble, Sender, Settled } from "./sender.ts";
import type { Translated } from "./translate.ts";

/** Records of one read. Chosen: some 1 ms of work, in which nothing else is done. */
const READ = { records: 200, bytes: 256 * 1024 };
/** Messages that are not settled, at most, before no more records are read. Chosen: some 500 kB. */
const MOST_PENDING = 512;
/** Records that wait for an older one, at most: what a crash at worst sends again. Chosen. */
const MOST_OPEN_RECORDS = 2_000;
/**
 * How long nothing gets through before the log says so, ms: a short interruption is not logged.
 * Chosen.
 */
const WARN_AFTER_MS = 5_000;
/** Pause after the journal could not be read, ms. Chosen. */
const RETRY_MS = 1_000;

/** One active forwarder at work. Nothing in it is shared with another's, so that none waits for another. */
export interface Lane {
  readonly forwarder: Forwarder;
  /** What is to be stored of it now. */
  progress(): ForwarderProgress;
  /** Waits a few seconds for answers, then gives up the rest. */
  stop(): Promise<void>;
}

export interface LaneOptions {
  readonly forwarder: Forwarder;
  /** Where it goes on. */
  readonly from: ForwarderProgress;
  readonly journal: Journal;
  readonly translate: (record: JournalRecord) => Translated;
  /** Opens the sender to the other system. */
  readonly openSender: (onTrouble: OnTrouble) => Sender;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  readonly log: Pick<Logger, "info" | "warn">;
}

/**
 * Follows the journal for one forwarder: reads while there is room, and passes a record when the other
 * system has dealt with it and all before it. Its memory is bounded by what is in flight; while the
 * other system is away, the journal is the buffer.
 */
export function openLane(options: LaneOptions): Lane {
  const { forwarder, from, journal, translate, now, log } = options;
  const { signal, stop } = createStop();
  const room = createWakeablePause();
  const fields = { forwarder: forwarder.id };
  let progress = from;
  let next = from.sequence + 1;
  let passedMs = now();
  /** Whether the log says that nothing gets through. */
  let isReported = false;

  const open = new OpenRecords(({ sequence, timeMs }, tally) => {
    const skipped = added(progress.skipped, tally.skipped);
    passedMs = timeMs;
    progress = { ...progress, sequence, sent: progress.sent + tally.sent, skipped };
  });

  function onThrough(): void {
    if (isReported) log.info(fields, "forwarder gets through again");
    isReported = false;
    progress = { ...progress, heldSinceMs: undefined };
  }

  function onTrouble(reason: string): void {
    const atMs = now();
    const heldSinceMs = progress.heldSinceMs ?? atMs;
    progress = { ...progress, lastError: { atMs, reason }, heldSinceMs };
    if (isReported || atMs - heldSinceMs < WARN_AFTER_MS) return;
    log.warn({ ...fields, reason }, "forwarder does not get through; trying again");
    isReported = true;
  }

  function onSettled(end: Settled): void {
    // A refusal is an answer, too: the receiver is there.
    onThrough();
    if (end === "sent") progress = { ...progress, lastSentAtMs: now() };
    else progress = { ...progress, lastError: { atMs: now(), reason: end.reason } };
  }

  const sender = options.openSender(onTrouble);

  function take(record: JournalRecord): void {
    const { messages, skipped } = translate(record);
    const settle = open.add(record, messages.length, skipped);
    for (const message of messages) {
      sender.add({
        message,
        settle(end) {
          settle(end);
          onSettled(end);
          if (!isFull()) room.wake();
        },
      });
    }
  }

  /** Records from `next` to before `to` are not in the journal any more. */
  function passGone(to: number, isMissed: boolean): void {
    const count = to - next;
    const skipped = isMissed ? { no_longer_kept: count } : {};
    open.add({ sequence: to - 1, timeMs: now() }, 0, skipped);
    next = to;
    if (!isMissed) return;
    log.warn(
      { ...fields, records: count },
      "forwarder was behind for longer than the journal keeps",
    );
    const reason = `${count} records of the journal were gone before they could be passed on`;
    progress = { ...progress, lastError: { atMs: now(), reason } };
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      await journal.waitFor(next, signal);
      while (!signal.aborted && isFull()) await room.wait(RETRY_MS);
      if (signal.aborted) return;
      const synced = journal.syncedSequence;
      const records = await journal.read(next, READ);
      if (signal.aborted) return;
      if (records.length === 0 && synced >= next) passGone(synced + 1, true);
      for (const record of records) {
        // What was acknowledged before the forwarder began is not missed.
        if (record.sequence > next) passGone(record.sequence, record.timeMs >= forwarder.startAtMs);
        take(record);
        next = record.sequence + 1;
      }
    }
  }

  const isFull = () => sender.pending >= MOST_PENDING || open.count >= MOST_OPEN_RECORDS;

  async function keepFollowing(): Promise<void> {
    while (!signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ ...fields, err: error }, "forwarder cannot read the journal; trying again");
        await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const following = keepFollowing();

  return {
    forwarder,
    progress() {
      const records = journal.syncedSequence - progress.sequence;
      const sinceMs = open.oldestMs ?? passedMs;
      return { ...progress, behind: records > 0 ? { records, sinceMs } : undefined };
    },
    async stop() {
      stop();
      room.wake();
      await following;
      await sender.stop();
    },
  };
}

function createStop(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, stop: () => controller.abort() };
}

function added(
  counts: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const reasons = Object.keys(more);
  if (reasons.length === 0) return counts;
  const sum = { ...counts };
  for (const reason of reasons) sum[reason] = (sum[reason] ?? 0) + (more[reason] ?? 0);
  return sum;
}
