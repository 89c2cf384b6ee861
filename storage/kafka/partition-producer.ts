import { setTimeout as delay } from "node:timers/promises";
import { type MessageRecord, type NumericMap, produceV9 } from "@platformatic/kafka";
import { DomainError } from "../../domain/errors.ts";
import { settle } from "../journal/batch.ts";
import type { Appended, JournalCommit } from "../ports/journal.ts";
import type { KafkaCluster } from "./cluster.ts";
import { ProducerIdentity } from "./producer-identity.ts";
import { codesOf, KAFKA_ERROR, reasonOf } from "./response-codes.ts";

/**
 * Most bytes of one batch. Larger than the brokers' default limit of 1 MiB, and a topic that was made by hand
 * refuses them; smaller ones mean more requests.
 */
const BATCH_BYTES = 900_000;
/** What a record takes in a batch beside its key and value, bytes: lengths and differences of numbers. */
const RECORD_OVERHEAD = 24;
/** How long a broker waits for the other replicas, and we for its answer, ms. Longer delays the turn to a new leader; shorter repeats slow batches. */
const REPLICATE_MS = 5_000;
const ANSWER_MS = 2 * REPLICATE_MS;
/** How long a batch is in flight before that is a trouble, ms. Longer hides a broker that hangs; shorter reports a busy one. */
const SLOW_MS = 1_000;
/** First and longest pause before a batch is sent again, ms. Longer delays acknowledgements after an outage; shorter asks brokers that are down more often. */
const RETRY_MS = { first: 50, longest: 1_000 };

/** Answers after which a batch is given up: the brokers will never store it. */
const REFUSALS: ReadonlySet<number> = new Set([
  KAFKA_ERROR.messageTooLarge,
  KAFKA_ERROR.topicAuthorizationFailed,
  KAFKA_ERROR.invalidTimestamp,
  KAFKA_ERROR.invalidRecord,
]);
/** Answers after which the numbers of batches begin again. */
const FORGOTTEN: ReadonlySet<number> = new Set([
  KAFKA_ERROR.outOfOrderSequence,
  KAFKA_ERROR.invalidProducerEpoch,
  KAFKA_ERROR.unknownProducerId,
]);

interface Queued {
  readonly record: MessageRecord;
  readonly bytes: number;
  readonly done: Appended;
}

export interface PartitionProducerOptions {
  readonly cluster: KafkaCluster;
  readonly topic: string;
  readonly partition: number;
  /** Called when a batch is stored. Must not throw. */
  readonly onStored: (batch: JournalCommit) => void;
  /** Called with why a batch is not acknowledged yet, and with `undefined` when one is. Must not throw. */
  readonly onTrouble: (reason: string | undefined) => void;
}

/**
 * Appends to one partition, a batch at a time, in the order of the calls: what comes while one is in flight
 * forms the next. A batch is sent until the brokers acknowledge it or refuse it for good, for nobody can know
 * whether one without an answer was stored; its number keeps it from being stored twice.
 */
export class PartitionProducer {
  readonly #options: PartitionProducerOptions;
  readonly #identity: ProducerIdentity;
  readonly #stopping = new AbortController();
  #queue: Queued[] = [];
  #isScheduled = false;
  #isSending = false;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: PartitionProducerOptions) {
    this.#options = options;
    this.#identity = new ProducerIdentity(options.cluster);
  }

  add(key: Buffer, value: Buffer, done: Appended): void {
    const { topic, partition } = this.#options;
    const record = { topic, partition, key, value };
    this.#queue.push({ record, bytes: bytesOf(key, value), done });
    if (!this.#isScheduled && !this.#isSending) this.#schedule();
  }

  /** Sends what is queued, for `graceMs` at most. */
  async drain(graceMs: number): Promise<void> {
    this.#start();
    const ended = new AbortController();
    const late = delay(graceMs, undefined, { signal: ended.signal }).catch(() => undefined);
    await Promise.race([this.#sending, late]);
    ended.abort();
    this.#stopping.abort();
  }

  /** Resolves when every record is answered for: after `drain`, and after the connections were closed. */
  async ended(): Promise<void> {
    await this.#sending;
  }

  /** The turn of the event loop ends first: what one socket read brought in shares a batch. */
  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    if (this.#isSending || this.#queue.length === 0) return;
    this.#isSending = true;
    this.#sending = this.#sendQueue();
  }

  async #sendQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      const error = await this.#store(batch);
      for (const { done } of batch) settle(done, error);
    }
    // In the same turn as the check of the queue: what is added after it starts the next loop.
    this.#isSending = false;
  }

  #takeBatch(): readonly Queued[] {
    let bytes = 0;
    let count = 0;
    for (const queued of this.#queue) {
      bytes += queued.bytes;
      if (count > 0 && bytes > BATCH_BYTES) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  /** Yields why it is not stored, `undefined` when it is. */
  async #store(batch: readonly Queued[]): Promise<Error | undefined> {
    const { onStored, onTrouble } = this.#options;
    const beganMs = performance.now();
    const slow = setTimeout(() => onTrouble("no answer yet"), SLOW_MS);
    let pauseMs = RETRY_MS.first;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#send(batch);
        clearTimeout(slow);
        onTrouble(undefined);
        const bytes = batch.reduce((sum, one) => sum + one.bytes, 0);
        onStored({ durationMs: performance.now() - beganMs, records: batch.length, bytes });
        return undefined;
      } catch (error) {
        clearTimeout(slow);
        const codes = codesOf(error);
        const reason = reasonOf(error);
        if (codes.some((code) => REFUSALS.has(code))) {
          onTrouble(undefined);
          return unavailable(reason, error);
        }
        onTrouble(reason);
        if (codes.some((code) => FORGOTTEN.has(code))) this.#identity.renew();
        await delay(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
        pauseMs = Math.min(2 * pauseMs, RETRY_MS.longest);
      }
    }
    clearTimeout(slow);
    return unavailable("the process stopped before the brokers answered");
  }

  async #send(batch: readonly Queued[]): Promise<void> {
    const { cluster, topic, partition } = this.#options;
    const { producerId, producerEpoch, first } = await this.#identity.number();
    const records = batch.map(({ record }) => record);
    // The client looks the sequence up by topic and partition; this batch has one of them.
    const sequences = { getWithDefault: () => first } as unknown as NumericMap;
    const numbered = { producerId, producerEpoch, sequences };
    try {
      await cluster.askLeader(
        { topic, partition, purpose: "produce" },
        (connection) =>
          produceV9.api.async(connection, ALL_REPLICAS, REPLICATE_MS, records, numbered),
        ANSWER_MS,
      );
    } catch (error) {
      // Stored at an earlier try whose answer did not arrive.
      if (!codesOf(error).includes(KAFKA_ERROR.duplicateSequence)) throw error;
    }
    this.#identity.used(batch.length);
  }
}

/** `acks` of a request: the answer comes when every replica in sync has the batch. */
const ALL_REPLICAS = -1;

/** Bytes that a record keeps in memory until it is stored, and about those that it takes in a batch. */
export const bytesOf = (key: Buffer, value: Buffer): number =>
  key.length + value.length + RECORD_OVERHEAD;

function unavailable(reason: string, cause?: unknown): DomainError {
  return new DomainError("STORE_UNAVAILABLE", `Kafka does not store records: ${reason}`, { cause });
}
