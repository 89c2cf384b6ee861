import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Forwarder, ForwarderProgress } from "../../storage/ports/events/forwarders.ts";
import type { JournalReader, JournalRecord } from "../../storage/ports/journal.ts";
import { createWakeablePause } from "../pacing/wakeable-pause.ts";
import { OpenRecords } from "./open-records.ts";
import type { OnTrouble, Sender, Settled } from "./sender.ts";
import type { Translated } from "./translate.ts";

/** Records of one read. Chosen: some 1 ms of work, in which nothing else is done. */
const READ = { records: 200, bytes: 256 * 1024 };
/** Messages that are not settled, at most, before no more records are read. Chosen: some 500 kB. */
const MOST_PENDING = 512;
/**
 * Records that wait for an older one, at most: what a crash at worst sends again. Fewer let one slow message hold
 * up all others.
 */
const MOST_OPEN_RECORDS = 2_000;
/**
 * How long nothing gets through before the log says so, ms: a short interruption is not logged.
 * Longer leaves a person without a hint; shorter fills the log.
 */
const WARN_AFTER_MS = 5_000;
/** Pause after the journal could not be read, ms. Longer delays readings; shorter logs a lasting fault more often. */
const RETRY_MS = 1_000;

export interface LaneOptions {
  readonly forwarder: Forwarder;
  /** Where it goes on. */
  readonly from: ForwarderProgress;
  readonly journal: JournalReader;
  readonly translate: (record: JournalRecord) => Translated;
  /** Opens the sender to the other system. */
  readonly openSender: (onTrouble: OnTrouble) => Sender;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  readonly log: Pick<Logger, "info" | "warn">;
}

/**
 * One active forwarder at work: reads the journal while there is room, and passes a record when the other
 * system has dealt with it and all before it. Its memory is bounded by what is in flight; while the other
 * system is away, the journal is the buffer. Nothing is shared with another's, so that none waits for another.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #room = createWakeablePause();
  /** In every line of the log. */
  readonly #fields: { readonly forwarder: Forwarder["id"] };
  readonly #stopping = new AbortController();
  #progress: ForwarderProgress;
  #next: number;
  #passedMs: number;
  /** Whether the log says that nothing gets through. */
  #isReported = false;
  readonly #open = new OpenRecords(({ sequence, timeMs }, tally) => {
    const skipped = added(this.#progress.skipped, tally.skipped);
    this.#passedMs = timeMs;
    this.#progress = {
      ...this.#progress,
      sequence,
      sent: this.#progress.sent + tally.sent,
      skipped,
    };
  });
  readonly #sender: Sender;
  readonly #following: Promise<void>;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#fields = { forwarder: this.#options.forwarder.id };
    this.#progress = this.#options.from;
    this.#next = this.#options.from.sequence + 1;
    this.#passedMs = this.#options.now();
    this.#sender = this.#options.openSender((reason) => this.#onTrouble(reason));
    this.#following = this.#keepFollowing();
  }

  get forwarder(): Forwarder {
    return this.#options.forwarder;
  }

  /** What is to be stored of it now. */
  progress(): ForwarderProgress {
    const records = this.#options.journal.syncedSequence - this.#progress.sequence;
    const sinceMs = this.#open.oldestMs ?? this.#passedMs;
    return { ...this.#progress, behind: records > 0 ? { records, sinceMs } : undefined };
  }

  /** Waits a few seconds for answers, then gives up the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#room.wake();
    await this.#following;
    await this.#sender.stop();
  }

  #onThrough(): void {
    if (this.#isReported) this.#options.log.info(this.#fields, "forwarder gets through again");
    this.#isReported = false;
    this.#progress = { ...this.#progress, heldSinceMs: undefined };
  }

  #onTrouble(reason: string): void {
    const atMs = this.#options.now();
    const heldSinceMs = this.#progress.heldSinceMs ?? atMs;
    this.#progress = { ...this.#progress, lastError: { atMs, reason }, heldSinceMs };
    if (this.#isReported || atMs - heldSinceMs < WARN_AFTER_MS) return;
    this.#options.log.warn(
      { ...this.#fields, reason },
      "forwarder does not get through; trying again",
    );
    this.#isReported = true;
  }

  #onSettled(end: Settled): void {
    // A refusal is an answer, too: the receiver is there.
    this.#onThrough();
    if (end === "sent") this.#progress = { ...this.#progress, lastSentAtMs: this.#options.now() };
    else
      this.#progress = {
        ...this.#progress,
        lastError: { atMs: this.#options.now(), reason: end.reason },
      };
  }

  #take(record: JournalRecord): void {
    const { messages, skipped } = this.#options.translate(record);
    const settle = this.#open.add(record, messages.length, skipped);
    for (const message of messages) {
      this.#sender.add({
        message,
        settle: (end) => {
          settle(end);
          this.#onSettled(end);
          if (!this.#isFull()) this.#room.wake();
        },
      });
    }
  }

  /** Records from `next` to before `to` are not in the journal any more. */
  #passGone(to: number, isMissed: boolean): void {
    const count = to - this.#next;
    const skipped = isMissed ? { no_longer_kept: count } : {};
    this.#open.add({ sequence: to - 1, timeMs: this.#options.now() }, 0, skipped);
    this.#next = to;
    if (!isMissed) return;
    this.#options.log.warn(
      { ...this.#fields, records: count },
      "forwarder was behind for longer than the journal keeps",
    );
    const reason = `${count} records of the journal were gone before they could be passed on`;
    this.#progress = { ...this.#progress, lastError: { atMs: this.#options.now(), reason } };
  }

  async #follow(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#options.journal.waitFor(this.#next, this.#stopping.signal);
      while (!this.#stopping.signal.aborted && this.#isFull()) await this.#room.wait(RETRY_MS);
      if (this.#stopping.signal.aborted) return;
      const synced = this.#options.journal.syncedSequence;
      const records = await this.#options.journal.read(this.#next, READ);
      if (this.#stopping.signal.aborted) return;
      if (records.length === 0 && synced >= this.#next) this.#passGone(synced + 1, true);
      for (const record of records) {
        // What was acknowledged before the forwarder began is not missed.
        if (record.sequence > this.#next)
          this.#passGone(record.sequence, record.timeMs >= this.#options.forwarder.startAtMs);
        this.#take(record);
        this.#next = record.sequence + 1;
      }
    }
  }

  #isFull(): boolean {
    return this.#sender.pending >= MOST_PENDING || this.#open.count >= MOST_OPEN_RECORDS;
  }

  async #keepFollowing(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#options.log.warn(
          { ...this.#fields, err: error },
          "forwarder cannot read the journal; trying again",
        );
        await delay(RETRY_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      }
    }
  }
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
