import type { JournalPlace } from "../archive/in-flight.ts";
import type { Settled } from "./sender.ts";

/** What became of the readings of some records. */
export interface Tally {
  readonly sent: number;
  readonly skipped: Readonly<Record<string, number>>;
}

/** A record that is not over, or that waits for one before it. */
interface OpenRecord {
  readonly place: JournalPlace;
  readonly skipped: Record<string, number>;
  sent: number;
  left: number;
}

/**
 * Records in flight, oldest first. Counts are given out together with the place up to which
 * everything is over, so that a start that repeats records counts none of them twice.
 */
export class OpenRecords {
  #records: OpenRecord[] = [];
  #head = 0;
  readonly #onPassed: (place: JournalPlace, tally: Tally) => void;

  /**
   * `onPassed` is called with the last record up to which everything is over, and what became of these.
   */
  constructor(onPassed: (place: JournalPlace, tally: Tally) => void) {
    this.#onPassed = onPassed;
  }

  get count(): number {
    return this.#records.length - this.#head;
  }

  /** Server clock at the oldest record that is not over, ms; `undefined`: all are. */
  get oldestMs(): number | undefined {
    return this.#records[this.#head]?.place.timeMs;
  }

  /** Adds a record of so many messages; what it yields is called once for each. */
  add(
    place: JournalPlace,
    messages: number,
    skipped: Readonly<Record<string, number>> = {},
  ): (end: Settled) => void {
    const record: OpenRecord = { place, skipped: { ...skipped }, sent: 0, left: messages };
    this.#records.push(record);
    if (messages === 0) this.#pass();
    return (end) => {
      if (end === "sent") record.sent += 1;
      else record.skipped[end.skipped] = (record.skipped[end.skipped] ?? 0) + 1;
      record.left -= 1;
      if (record.left === 0) this.#pass();
    };
  }

  #pass(): void {
    let passed: JournalPlace | undefined;
    let sent = 0;
    const skipped: Record<string, number> = {};
    for (;;) {
      const record = this.#records[this.#head];
      if (record === undefined || record.left > 0) break;
      this.#head += 1;
      passed = record.place;
      sent += record.sent;
      for (const reason in record.skipped) {
        skipped[reason] = (skipped[reason] ?? 0) + (record.skipped[reason] ?? 0);
      }
    }
    if (passed === undefined) return;
    // The array is cut now and then: `shift` for each record would move all of it.
    if (this.#head === this.#records.length || this.#head > 1_000) {
      this.#records = this.#records.slice(this.#head);
      this.#head = 0;
    }
    this.#onPassed(passed, { sent, skipped });
  }
}
