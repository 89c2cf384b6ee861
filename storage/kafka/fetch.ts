import { fetchV15, listOffsetsV8 } from "@platformatic/kafka";
import type { JournalRecord } from "../ports/journal.ts";
import type { KafkaCluster } from "./cluster.ts";
import { decodeValue } from "./record-value.ts";

/** Offsets that mean the ends of a partition (kafka.apache.org/protocol, ListOffsets). */
const EARLIEST = -2n;
const LATEST = -1n;
/** "Not known" for an epoch of a leader, a session of fetches and its number. */
const UNKNOWN = -1;
/** Also records of transactions that are open: we have none. */
const READ_UNCOMMITTED = 0;
/** Who asks is a client, no replica. */
const NO_REPLICA = -1;
/** Bit of a batch that holds marks of transactions, no records (record batch attributes, bit 5). */
const IS_CONTROL = 0b10_0000;
/** What the network may take beyond the time that a broker waits, ms. */
const GRACE_MS = 10_000;

/** A partition of one topic, which must not have been made again meanwhile. */
export interface PartitionPlace {
  readonly topic: string;
  readonly topicId: string;
  readonly partition: number;
}

/** What a broker has of a partition from some offset on. */
export interface Fetched {
  readonly records: readonly JournalRecord[];
  /** Sequence of the last record that every replica in sync has. */
  readonly syncedSequence: number;
  /** Sequence of the oldest record that is kept. */
  readonly oldestSequence: number;
}

/**
 * Reads a partition from a sequence on: whole batches, so the first records may be older. Waits `waitMs` for
 * a first record. Fetches of one `purpose` wait for each other.
 * @throws Error when the leader does not answer, or refuses.
 */
export async function fetchFrom(
  cluster: KafkaCluster,
  { topic, topicId, partition }: PartitionPlace,
  fetch: {
    readonly sequence: number;
    readonly bytes: number;
    readonly waitMs: number;
    readonly purpose: string;
  },
): Promise<Fetched> {
  const { sequence, bytes, waitMs, purpose } = fetch;
  const wanted = {
    partition,
    currentLeaderEpoch: UNKNOWN,
    fetchOffset: BigInt(sequence - 1),
    lastFetchedEpoch: UNKNOWN,
    partitionMaxBytes: bytes,
  };
  const answer = await cluster.askLeader(
    { topic, partition, purpose },
    (connection, currentId) => {
      if (currentId !== topicId) throw new Error(`topic ${topic} was deleted and made again`);
      return fetchV15.api.async(
        connection,
        ...([waitMs, 1, bytes, READ_UNCOMMITTED, 0, UNKNOWN] as const),
        [{ topicId, partitions: [wanted] }],
        [],
        "",
      );
    },
    waitMs + GRACE_MS,
  );
  const found = answer.responses[0]?.partitions[0];
  if (found === undefined) throw new Error("a fetch was answered without its partition");
  const records: JournalRecord[] = [];
  for (const batch of found.records ?? []) {
    if ((batch.attributes & IS_CONTROL) !== 0) continue;
    const first = Number(batch.firstOffset);
    for (const { offsetDelta, value } of batch.records) {
      records.push(decodeValue(first + offsetDelta, value));
    }
  }
  return {
    records,
    // Offsets begin with 0, and the high watermark is that of the next record.
    syncedSequence: Number(found.highWatermark),
    oldestSequence: Number(found.logStartOffset) + 1,
  };
}

/** The ends of a partition. @throws as `fetchFrom`. */
export async function readEnds(
  cluster: KafkaCluster,
  { topic, partition }: PartitionPlace,
): Promise<Pick<Fetched, "syncedSequence" | "oldestSequence">> {
  const offsetAt = async (timestamp: bigint): Promise<number> => {
    const wanted = { partitionIndex: partition, currentLeaderEpoch: UNKNOWN, timestamp };
    const answer = await cluster.askLeader({ topic, partition, purpose: "read" }, (connection) =>
      listOffsetsV8.api.async(connection, NO_REPLICA, READ_UNCOMMITTED, [
        { name: topic, partitions: [wanted] },
      ]),
    );
    const offset = answer.topics[0]?.partitions[0]?.offset;
    if (offset === undefined || offset < 0n) throw new Error("an end of the partition is missing");
    return Number(offset);
  };
  const oldest = await offsetAt(EARLIEST);
  const end = await offsetAt(LATEST);
  return { oldestSequence: oldest + 1, syncedSequence: end };
}
