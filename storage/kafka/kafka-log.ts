import { DomainError } from "../../domain/errors.ts";
import { Listeners } from "../journal/listeners.ts";
import type { Appended, JournalCommit, JournalState } from "../ports/journal.ts";
import type { PartitionGroup, SharedRecord } from "../ports/shared-journal.ts";
import { KafkaCluster } from "./cluster.ts";
import { GroupMember } from "./group-member.ts";
import { countMembers } from "./group-state.ts";
import type { KafkaOptions } from "./options.ts";
import { bytesOf, PartitionProducer } from "./partition-producer.ts";
import { PartitionReader } from "./partition-reader.ts";
import { encodeValue } from "./record-value.ts";
import { reasonOf } from "./response-codes.ts";
import { ensureTopic } from "./topics.ts";

/**
 * Records that are not acknowledged yet, at most, bytes. More bridges longer pauses of the brokers; less refuses
 * devices earlier. Chosen: as much as a second brings at 200,000 small records.
 */
const MOST_BYTES = 64 * 1024 ** 2;
/** Largest record, bytes: the topic's limit of a batch less its frame. */
const MAX_RECORD_BYTES = 4 * 1024 ** 2;
/**
 * How long a batch may wait for its acknowledgement before no more is taken, ms. Longer hides an outage from
 * health; shorter calls the election of a new leader one.
 */
const AWAY_MS = 3_000;
/**
 * How often the brokers are asked whether the topic has more partitions, ms. Longer delays their use; shorter asks
 * more often for what happens once a year.
 */
const GROWTH_MS = 2_000;
/** Longest wait for acknowledgements at the end, ms. Longer delays a stop while the brokers are away. */
const CLOSE_MS = 5_000;

export interface KafkaLogOptions extends KafkaOptions {
  /** Name of the topic; made when there is none. */
  readonly topic: string;
  /** Of a topic that is made; one that exists has its own. */
  readonly partitions: number;
  /** Of a topic that is made. Default: 3, or as many as there are brokers. */
  readonly replicas?: number;
  /** Default: 64 MiB. */
  readonly mostBytes?: number;
  /** Default: 3 s. */
  readonly awayMs?: number;
}

/**
 * A topic of Kafka as a log of several partitions. What was acknowledged is on `min.insync.replicas` brokers.
 *
 * States: `open` takes records. While a batch of some partition has waited too long for its acknowledgement the
 * log is `failed`, while too many bytes wait it is `full`; both end by themselves. What was appended before
 * waits on: whether the brokers have stored it nobody knows, and only an acknowledgement answers that.
 */
export class KafkaLog {
  readonly #cluster: KafkaCluster;
  readonly #topic: { readonly name: string; readonly id: string };
  readonly #producers: PartitionProducer[] = [];
  readonly #mostBytes: number;
  readonly #awayMs: number;
  readonly #stateListeners = new Listeners<JournalState>();
  readonly #commitListeners = new Listeners<JournalCommit>();
  /** Since when a partition has a batch that was not acknowledged, and why. */
  readonly #troubles = new Map<number, { readonly sinceMs: number; reason: string }>();
  #state: JournalState = "open";
  #bytes = 0;
  #isFull = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #growth: NodeJS.Timeout;

  /**
   * @throws DomainError `STORE_UNAVAILABLE` when no broker answers, `SETTINGS_INVALID` when there is no topic and
   * none may be made: with the command that makes it.
   */
  static async open(options: KafkaLogOptions): Promise<KafkaLog> {
    const cluster = new KafkaCluster(options);
    try {
      const { topic: name, partitions, replicas, brokers } = options;
      const spec = { name, partitions, ...(replicas === undefined ? {} : { replicas }) };
      const { id, leaders } = await ensureTopic(cluster, spec, brokers.join(","));
      return new KafkaLog(options, cluster, { name, id, partitions: leaders.length });
    } catch (error) {
      cluster.close();
      throw noAnswer(options, error);
    }
  }

  /** The topic as it is; `undefined`: there is none. @throws as `open`. */
  static async find(
    options: Pick<KafkaLogOptions, keyof KafkaOptions | "topic">,
  ): Promise<Pick<KafkaLog, "id" | "partitions"> | undefined> {
    const cluster = new KafkaCluster(options);
    try {
      const found = await cluster.topic(options.topic);
      return found && { id: found.id, partitions: found.leaders.length };
    } catch (error) {
      throw noAnswer(options, error);
    } finally {
      cluster.close();
    }
  }

  private constructor(
    options: KafkaLogOptions,
    cluster: KafkaCluster,
    topic: { readonly name: string; readonly id: string; readonly partitions: number },
  ) {
    this.#cluster = cluster;
    this.#topic = topic;
    this.#mostBytes = options.mostBytes ?? MOST_BYTES;
    this.#awayMs = options.awayMs ?? AWAY_MS;
    this.#addPartitions(topic.partitions);
    this.#growth = setInterval(() => void this.#lookForPartitions(), GROWTH_MS);
    this.#growth.unref();
  }

  /** Of the topic: another one when it is made again. */
  get id(): string {
    return this.#topic.id;
  }

  /** Of the topic, as far as is known; their number may rise. */
  get partitions(): number {
    return this.#producers.length;
  }

  get state(): JournalState {
    return this.#state;
  }

  /** Why no records are taken now, or `undefined`. */
  get trouble(): string | undefined {
    if (this.#state === "open") return undefined;
    const [first] = this.#troubles.values();
    const waiting = `${Math.ceil(this.#bytes / 1024)} KiB wait for Kafka's acknowledgement`;
    return first === undefined ? waiting : `Kafka does not store records: ${first.reason}`;
  }

  /**
   * Appends to a partition.
   * @throws RangeError for a record that is too large, or a kind or partition that there is not.
   */
  append({ partition, key, kind, timeMs, body }: SharedRecord, done: Appended): void {
    const producer = this.#producers[partition];
    if (producer === undefined) throw new RangeError(`there is no partition ${partition}`);
    if (!(kind >= 1 && kind <= 255)) throw new RangeError(`record kind ${kind} is not 1 to 255`);
    if (body.length > MAX_RECORD_BYTES)
      throw new RangeError(`a record of ${body.length} bytes is too large`);
    if (this.#state !== "open" || this.#isClosed) {
      const error = this.#refusal();
      setImmediate(() => done(error));
      return;
    }
    const value = encodeValue(kind, timeMs, body);
    const keyBytes = Buffer.from(key);
    const bytes = bytesOf(keyBytes, value);
    this.#bytes += bytes;
    producer.add(keyBytes, value, (error) => {
      this.#bytes -= bytes;
      if (this.#isFull && this.#bytes <= this.#mostBytes / 2) {
        this.#isFull = false;
        this.#settleState();
      }
      done(error);
    });
    if (this.#bytes < this.#mostBytes) return;
    this.#isFull = true;
    this.#settleState();
  }

  /** Opens a partition for reading. @throws DomainError `STORE_UNAVAILABLE`. */
  async openReader(partition: number): Promise<PartitionReader> {
    const place = { topic: this.#topic.name, topicId: this.#topic.id, partition };
    try {
      return await PartitionReader.open(this.#cluster, place);
    } catch (cause) {
      const message = `partition ${partition} of ${place.topic} cannot be read: ${reasonOf(cause)}`;
      throw new DomainError("STORE_UNAVAILABLE", message, { cause });
    }
  }

  /**
   * Joins the group of that name, which shares out the partitions of this topic; see `SharedJournal.join`.
   */
  join(
    group: string,
    onAssigned: (partitions: readonly number[]) => void,
    isAble: () => boolean = () => true,
  ): PartitionGroup {
    const partitions = () => this.partitions;
    return new GroupMember({ cluster: this.#cluster, group, partitions, onAssigned, isAble });
  }

  /** How many processes are members of the group of that name now. @throws DomainError `STORE_UNAVAILABLE`. */
  async members(group: string): Promise<number> {
    try {
      return await countMembers(this.#cluster, group);
    } catch (cause) {
      const message = `the members of group ${group} are not known: ${reasonOf(cause)}`;
      throw new DomainError("STORE_UNAVAILABLE", message, { cause });
    }
  }

  /** Called on every change of `state`. */
  onState(listener: (state: JournalState) => void): void {
    this.#stateListeners.add(listener);
  }

  /** Called after every batch that was acknowledged. */
  onCommit(listener: (commit: JournalCommit) => void): void {
    this.#commitListeners.add(listener);
  }

  /** Sends what is queued, for a few seconds at most, then closes all connections. Readers are to be closed before. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#growth);
    await Promise.all(this.#producers.map((producer) => producer.drain(CLOSE_MS)));
    clearTimeout(this.#timer);
    this.#cluster.close();
    await Promise.all(this.#producers.map((producer) => producer.ended()));
  }

  #addPartitions(upTo: number): void {
    for (let partition = this.#producers.length; partition < upTo; partition += 1) {
      const producer = new PartitionProducer({
        cluster: this.#cluster,
        topic: this.#topic.name,
        partition,
        onStored: (batch) => this.#commitListeners.call(batch),
        onTrouble: (reason) => this.#noteTrouble(partition, reason),
      });
      this.#producers.push(producer);
    }
  }

  /** Brokers that do not answer are reported by what waits for them. */
  async #lookForPartitions(): Promise<void> {
    const { name, id } = this.#topic;
    const topic = await this.#cluster.lookUp(name).catch(() => undefined);
    if (topic?.id === id && !this.#isClosed) this.#addPartitions(topic.leaders.length);
  }

  #noteTrouble(partition: number, reason: string | undefined): void {
    if (reason === undefined) {
      if (!this.#troubles.delete(partition)) return;
    } else {
      const known = this.#troubles.get(partition);
      if (known !== undefined) known.reason = reason;
      else this.#troubles.set(partition, { sinceMs: performance.now(), reason });
    }
    this.#settleState();
  }

  #settleState(): void {
    clearTimeout(this.#timer);
    const oldestMs = Math.min(...[...this.#troubles.values()].map(({ sinceMs }) => sinceMs));
    const leftMs = oldestMs + this.#awayMs - performance.now();
    if (leftMs > 0 && Number.isFinite(leftMs) && !this.#isClosed) {
      this.#timer = setTimeout(() => this.#settleState(), leftMs);
      this.#timer.unref();
    }
    const state = leftMs <= 0 ? "failed" : this.#isFull ? "full" : "open";
    if (state === this.#state) return;
    this.#state = state;
    this.#stateListeners.call(state);
  }

  #refusal(): DomainError {
    if (this.#isClosed) return new DomainError("STORE_UNAVAILABLE", "the journal is closed");
    const message = this.trouble ?? "Kafka does not store records";
    return new DomainError(this.#state === "full" ? "JOURNAL_FULL" : "STORE_UNAVAILABLE", message);
  }
}

const NO_CERTIFICATE =
  "; brokers that ask for a client's certificate close connections without one, see KAFKA_CERT_FILE";

function noAnswer(
  { brokers, tls }: Pick<KafkaOptions, "brokers" | "tls">,
  error: unknown,
): DomainError {
  if (error instanceof DomainError) return error;
  // Brokers that ask for a certificate close the connection without a word that the client hands on.
  const isClosed = tls !== undefined && /connection closed/i.test(reasonOf(error));
  const advice = isClosed && tls.cert === undefined ? NO_CERTIFICATE : "";
  const message = `Kafka at ${brokers.join(",")} does not answer: ${reasonOf(error)}${advice}`;
  return new DomainError("STORE_UNAVAILABLE", message, { cause: error });
}
