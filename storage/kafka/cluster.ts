import { type Connection, metadataV12, ResponseError } from "@platformatic/kafka";
import { type BrokerAddress, BrokerLink } from "./broker-link.ts";
import type { KafkaOptions } from "./options.ts";
import { codesOf } from "./response-codes.ts";

/** Longest wait for an answer that the broker has at hand, ms. Longer delays the turn to another broker; shorter fails with a busy one. */
const ANSWER_MS = 10_000;
/** Port of an address that names none, by custom. */
const DEFAULT_PORT = 9092;

type MetadataResponse = Awaited<ReturnType<typeof metadataV12.api.async>>;

/** A topic as the brokers know it. */
export interface KafkaTopic {
  /** UUID: another one when a topic of that name is made again. */
  readonly id: string;
  /** Node of each partition's leader; `undefined`: there is none now. */
  readonly leaders: readonly (number | undefined)[];
}

/** The brokers, who leads which partition, and connections to them. */
export class KafkaCluster {
  readonly #options: KafkaOptions;
  readonly #bootstrap: readonly BrokerAddress[];
  readonly #links = new Map<string, BrokerLink>();
  #brokers = new Map<number, BrokerAddress>();
  #topics = new Map<string, KafkaTopic>();
  #asking = new Map<string, Promise<KafkaTopic | undefined>>();
  #firstAsked = 0;
  #isClosed = false;

  constructor(options: KafkaOptions) {
    this.#options = options;
    this.#bootstrap = options.brokers.map(addressOf);
  }

  /** How many brokers there are; 0 before the first answer. */
  get brokerCount(): number {
    return this.#brokers.size;
  }

  /** The topic, as it was when last asked for; `undefined`: there is none of that name. */
  async topic(name: string): Promise<KafkaTopic | undefined> {
    return this.#topics.get(name) ?? (await this.#ask(name));
  }

  /** The topic as it is now. */
  async lookUp(name: string): Promise<KafkaTopic | undefined> {
    return await this.#ask(name);
  }

  /** What is known of a topic may be old: it is asked for again when it is next needed. */
  forget(name: string): void {
    this.#topics.delete(name);
  }

  /**
   * Asks the leader of a partition. `purpose`: requests of one purpose share a connection for each broker.
   * After an error the leader is looked up again at the next call.
   */
  async askLeader<T>(
    { topic, partition, purpose }: LeaderOf,
    ask: (connection: Connection, topicId: string) => Promise<T>,
    timeoutMs = ANSWER_MS,
  ): Promise<T> {
    try {
      const found = await this.topic(topic);
      if (found === undefined) throw new Error(`there is no topic ${topic}`);
      const leader = found.leaders[partition];
      const address = leader === undefined ? undefined : this.#brokers.get(leader);
      if (address === undefined)
        throw new Error(`partition ${partition} of ${topic} has no leader`);
      const link = this.link(address, purpose);
      return await link.call((connection) => ask(connection, found.id), timeoutMs);
    } catch (error) {
      this.forget(topic);
      throw error;
    }
  }

  /**
   * Asks one broker after the other until one answers; an answer that is an error is an answer.
   * @throws as `BrokerLink.call`, with the last broker's error.
   */
  async askAny<T>(ask: (connection: Connection) => Promise<T>, timeoutMs = ANSWER_MS): Promise<T> {
    const addresses = [...this.#bootstrap, ...this.#brokers.values()];
    let last: unknown = new Error("no broker is known");
    for (let i = 0; i < addresses.length && !this.#isClosed; i += 1) {
      const number = (this.#firstAsked + i) % addresses.length;
      const address = addresses[number] as BrokerAddress;
      try {
        const answer = await this.link(address, "any").call(ask, timeoutMs);
        this.#firstAsked = number;
        return answer;
      } catch (error) {
        if (error instanceof ResponseError) throw error;
        last = error;
      }
    }
    throw last;
  }

  /** A connection to a broker that is known by its address, for one purpose; ended by `close`. */
  link(address: BrokerAddress, purpose: string): BrokerLink {
    if (this.#isClosed) throw new Error("the connections are closed");
    const key = `${address.host}:${address.port} ${purpose}`;
    let link = this.#links.get(key);
    if (link === undefined) {
      link = new BrokerLink(address, this.#options);
      this.#links.set(key, link);
    }
    return link;
  }

  close(): void {
    this.#isClosed = true;
    for (const link of this.#links.values()) link.close();
    this.#links.clear();
  }

  /** One question at a time for each topic: many wait for the same answer when a leader is gone. */
  #ask(name: string): Promise<KafkaTopic | undefined> {
    let asking = this.#asking.get(name);
    if (asking === undefined) {
      asking = this.#read(name).finally(() => this.#asking.delete(name));
      this.#asking.set(name, asking);
    }
    return asking;
  }

  async #read(name: string): Promise<KafkaTopic | undefined> {
    const metadata = await this.askAny((connection) =>
      // Errors of single partitions are in the answer, beside those that have a leader.
      metadataV12.api.async(connection, [name], false, false).catch(responseOf),
    );
    this.#brokers = new Map(
      metadata.brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }]),
    );
    const found = metadata.topics.find((topic) => topic.name === name);
    if (found === undefined || found.partitions.length === 0) return undefined;
    const leaders: (number | undefined)[] = [];
    for (const { partitionIndex, leaderId } of found.partitions) {
      leaders[partitionIndex] = leaderId < 0 ? undefined : leaderId;
    }
    const topic = { id: found.topicId, leaders };
    this.#topics.set(name, topic);
    return topic;
  }
}

/** Whose leader is asked, over which connection. */
interface LeaderOf {
  readonly topic: string;
  readonly partition: number;
  readonly purpose: string;
}

/** The answer that an error of the client carries; the error where it carries none. */
function responseOf(error: unknown): MetadataResponse {
  if (error instanceof ResponseError && codesOf(error).length > 0) {
    const { response } = error as { readonly response?: MetadataResponse };
    if (response !== undefined) return response;
  }
  throw error;
}

/** `host:port`, `[address]:port` for IPv6, or a host alone. */
function addressOf(text: string): BrokerAddress {
  const url = new URL(`kafka://${text}`);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: url.port === "" ? DEFAULT_PORT : Number(url.port) };
}
