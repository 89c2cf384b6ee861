import { initProducerIdV4 } from "@platformatic/kafka";
import type { KafkaCluster } from "./cluster.ts";

/** Longest life of a transaction, ms: a broker wants one, and we have no transactions. Chosen: its default. */
const NO_TRANSACTION_MS = 60_000;
/** The first number after the largest that the protocol has, of 32 bits with sign. */
const WRAP = 2 ** 31;

/** Number of a batch, by which a broker knows one that it has already. */
export interface BatchNumber {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** Sequence of its first record. */
  readonly first: number;
}

/**
 * Numbers the records of one partition, so that a batch that is sent again is stored once (KIP-98). What the
 * brokers know of a producer they may forget; then the numbers begin again under a new id.
 */
export class ProducerIdentity {
  readonly #cluster: KafkaCluster;
  #id: { readonly producerId: bigint; readonly producerEpoch: number } | undefined;
  #next = 0;

  constructor(cluster: KafkaCluster) {
    this.#cluster = cluster;
  }

  /** The number of the next batch: the same until `used` or `renew`. */
  async number(): Promise<BatchNumber> {
    this.#id ??= await this.#cluster.askAny((connection) =>
      initProducerIdV4.api.async(connection, null, NO_TRANSACTION_MS, -1n, -1),
    );
    const { producerId, producerEpoch } = this.#id;
    return { producerId, producerEpoch, first: this.#next };
  }

  /** A batch of so many records under the last number is stored. */
  used(records: number): void {
    this.#next = (this.#next + records) % WRAP;
  }

  /** Begins again under a new id: the brokers do not go on with the old one. */
  renew(): void {
    this.#id = undefined;
    this.#next = 0;
  }
}
