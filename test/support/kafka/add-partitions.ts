import { createPartitionsV3 } from "@platformatic/kafka";
import { KafkaCluster } from "../../../storage/kafka/cluster.ts";

/** Longest wait of the brokers, ms. */
const WAIT_MS = 30_000;
/** No list: one that is empty would name too few. The client's types do not know that. */
const CHOSEN_BY_BROKERS = null as unknown as [];

/** What `kafka-topics.sh --alter --partitions` does: the topic has so many partitions from now on. */
export async function raisePartitions(
  brokers: readonly string[],
  topic: string,
  partitions: number,
): Promise<void> {
  const cluster = new KafkaCluster({ brokers, clientId: "test" });
  try {
    await cluster.askAny(
      (connection) =>
        createPartitionsV3.api.async(
          connection,
          [{ name: topic, count: partitions, assignments: CHOSEN_BY_BROKERS }],
          WAIT_MS,
          false,
        ),
      WAIT_MS,
    );
  } finally {
    cluster.close();
  }
}
