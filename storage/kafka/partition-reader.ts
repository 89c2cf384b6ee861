import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "../../domain/errors.ts";
import { RECORD_OVERHEAD } from "../journal/record-codec.ts";
import { Waiters } from "../journal/waiters.ts";
import type { JournalReader, JournalRecord } from "../ports/journal.ts";
import type { KafkaCluster } from "./cluster.ts";
import { type Fetched, fetchFrom, type PartitionPlace, readEnds } from "./fetch.ts";
import { reasonOf } from "./response-codes.ts";

/** How long a broker waits for a record that is not there yet, ms. Longer delays `close`; shorter asks it more often for nothing. */
const WATCH_MS = 500;
/** Most bytes of one answer to the watcher. Larger ones hold the event loop up longer; smaller ones need more requests. */
const WATCH_BYTES = 1024 ** 2;
/** Least bytes that are asked for: readers with small limits come back for the rest, which is kept. */
const LEAST_BYTES = 256 * 1024;
/** Newest records that are kept for readers that keep up, bytes. More is memory; with less, readers that pause ask the broker again. */
const TAIL_BYTES = 4 * 1024 ** 2;
/** Readers whose rest of an answer is kept. Chosen: the pipeline, the archive, and two forwarders. */
const MOST_RESTS = 4;
/** How long a partition is tried to be opened, ms. Longer delays the error; shorter fails while leaders are elected. */
const OPEN_MS = 10_000;
/** First and longest pause before a broker is asked again, ms. Longer delays readers after an outage; shorter asks brokers that are down more often. */
const RETRY_MS = { first: 50, longest: 1_000 };

interface Limit {
  readonly records: number;
  readonly bytes: number;
}

/** Follows the end of one partition, and reads it from anywhere. Brokers that are away are asked until they are back. */
export class PartitionReader implements JournalReader {
  readonly id: string;
  readonly #cluster: KafkaCluster;
  readonly #place: PartitionPlace;
  readonly #waiters = new Waiters();
  readonly #stopping = new AbortController();
  #syncedSequence: number;
  #oldestSequence: number;
  /** The newest records, without gap up to the synced one. */
  #tail: JournalRecord[] = [];
  #tailBytes = 0;
  /** Records that were answered beyond a reader's limit; they begin where it goes on. */
  #rests: (readonly JournalRecord[])[] = [];
  #trouble: string | undefined;
  readonly #watching: Promise<void>;

  /** @throws Error when the partition's leader does not answer in time. */
  static async open(cluster: KafkaCluster, place: PartitionPlace): Promise<PartitionReader> {
    const untilMs = performance.now() + OPEN_MS;
    for (;;) {
      try {
        return new PartitionReader(cluster, place, await readEnds(cluster, place));
      } catch (error) {
        // A broker learns a moment late that it leads a new partition.
        if (performance.now() >= untilMs) throw error;
        await delay(RETRY_MS.first);
      }
    }
  }

  private constructor(
    cluster: KafkaCluster,
    place: PartitionPlace,
    ends: Pick<Fetched, "syncedSequence" | "oldestSequence">,
  ) {
    this.id = `${place.topicId}-${place.partition}`;
    this.#cluster = cluster;
    this.#place = place;
    this.#syncedSequence = ends.syncedSequence;
    this.#oldestSequence = ends.oldestSequence;
    this.#watching = this.#watch();
  }

  get syncedSequence(): number {
    return this.#syncedSequence;
  }

  get oldestSequence(): number {
    return this.#oldestSequence;
  }

  /** Why the end of the partition cannot be followed now, or `undefined`. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  async read(fromSequence: number, limit: Limit): Promise<readonly JournalRecord[]> {
    this.#refuseClosed();
    const from = Math.max(fromSequence, this.#oldestSequence);
    if (from > this.#syncedSequence) return [];
    const tail = this.#fromTail(from, limit);
    if (tail !== undefined) return tail;
    const found = this.#takeRest(from) ?? (await this.#fetch(from, limit.bytes));
    const page = withinLimit(found, 0, limit);
    if (page.length < found.length) this.#keepRest(found.slice(page.length));
    return page;
  }

  /** Asks for the sequence of the last record. @throws Error when the partition's leader does not answer. */
  async readEnd(): Promise<number> {
    return (await readEnds(this.#cluster, this.#place)).syncedSequence;
  }

  async waitFor(sequence: number, signal: AbortSignal): Promise<void> {
    if (this.#syncedSequence >= sequence || this.#stopping.signal.aborted) return;
    await this.#waiters.wait(sequence, signal);
  }

  /** Reads in flight are refused, and everything after. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#waiters.wake(Number.POSITIVE_INFINITY);
    await this.#watching;
  }

  async #watch(): Promise<void> {
    let pauseMs = RETRY_MS.first;
    while (!this.#stopping.signal.aborted) {
      try {
        const { partition } = this.#place;
        const fetched = await fetchFrom(this.#cluster, this.#place, {
          sequence: this.#syncedSequence + 1,
          bytes: WATCH_BYTES,
          waitMs: WATCH_MS,
          purpose: `watch ${partition}`,
        });
        this.#take(fetched);
        this.#trouble = undefined;
        pauseMs = RETRY_MS.first;
      } catch (error) {
        this.#trouble = reasonOf(error);
        await this.#pause(pauseMs);
        pauseMs = Math.min(2 * pauseMs, RETRY_MS.longest);
      }
    }
  }

  /** Takes in what the watcher was answered. */
  #take({ records, oldestSequence }: Fetched): void {
    this.#oldestSequence = Math.max(this.#oldestSequence, oldestSequence);
    const fresh = records.filter(({ sequence }) => sequence > this.#syncedSequence);
    const last = fresh.at(-1);
    if (last === undefined) return;
    for (const record of fresh) {
      this.#tail.push(record);
      this.#tailBytes += bytesOf(record);
    }
    this.#syncedSequence = last.sequence;
    this.#trimTail();
    this.#waiters.wake(last.sequence);
  }

  #trimTail(): void {
    if (this.#tailBytes <= TAIL_BYTES) return;
    let dropped = 0;
    // Down to half: to shift an array for each record would cost more than the records.
    while (this.#tailBytes > TAIL_BYTES / 2 && dropped < this.#tail.length - 1) {
      this.#tailBytes -= bytesOf(this.#tail[dropped] as JournalRecord);
      dropped += 1;
    }
    this.#tail = this.#tail.slice(dropped);
  }

  #fromTail(from: number, limit: Limit): readonly JournalRecord[] | undefined {
    const first = this.#tail[0];
    if (first === undefined || from < first.sequence) return undefined;
    // Without gap, as long as nobody else uses transactions on the topic; else the place is searched.
    let start = from - first.sequence;
    while (start > 0 && (this.#tail[start]?.sequence ?? Number.POSITIVE_INFINITY) > from)
      start -= 1;
    if ((this.#tail[start]?.sequence ?? 0) < from) start += 1;
    return start < this.#tail.length ? withinLimit(this.#tail, start, limit) : undefined;
  }

  #takeRest(from: number): readonly JournalRecord[] | undefined {
    const found = this.#rests.findIndex(([first]) => first?.sequence === from);
    return found < 0 ? undefined : this.#rests.splice(found, 1)[0];
  }

  #keepRest(rest: readonly JournalRecord[]): void {
    this.#rests.push(rest);
    if (this.#rests.length > MOST_RESTS) this.#rests.shift();
  }

  /** At least one record, from `from` on or from the oldest that is kept. */
  async #fetch(from: number, bytes: number): Promise<readonly JournalRecord[]> {
    for (let pauseMs = RETRY_MS.first; ; pauseMs = Math.min(2 * pauseMs, RETRY_MS.longest)) {
      const first = Math.max(from, this.#oldestSequence);
      try {
        const { records, oldestSequence } = await fetchFrom(this.#cluster, this.#place, {
          sequence: first,
          bytes: Math.max(bytes, LEAST_BYTES),
          waitMs: 0,
          purpose: "read",
        });
        this.#oldestSequence = Math.max(this.#oldestSequence, oldestSequence);
        this.#refuseClosed();
        // What the watcher has not seen yet is left to it: readers count on `syncedSequence`.
        const wanted = records.filter(
          ({ sequence }) => sequence >= first && sequence <= this.#syncedSequence,
        );
        if (wanted.length > 0) return wanted;
      } catch (error) {
        this.#refuseClosed();
        this.#trouble = reasonOf(error);
        // The oldest records may have been deleted since.
        await readEnds(this.#cluster, this.#place).then(
          ({ oldestSequence }) => {
            this.#oldestSequence = Math.max(this.#oldestSequence, oldestSequence);
          },
          () => undefined,
        );
      }
      await this.#pause(pauseMs);
      this.#refuseClosed();
    }
  }

  #pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  #refuseClosed(): void {
    if (!this.#stopping.signal.aborted) return;
    throw new DomainError("STORE_UNAVAILABLE", "the journal is closed");
  }
}

const bytesOf = ({ body }: JournalRecord): number => RECORD_OVERHEAD + body.length;

/** Records from that index on within the limit, one at least. */
function withinLimit(
  records: readonly JournalRecord[],
  start: number,
  limit: Limit,
): readonly JournalRecord[] {
  let bytes = 0;
  let end = start;
  while (end < records.length && end - start < limit.records) {
    bytes += bytesOf(records[end] as JournalRecord);
    if (bytes > limit.bytes && end > start) break;
    end += 1;
  }
  return records.slice(start, Math.max(end, start + 1));
}
