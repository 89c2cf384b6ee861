import { setTimeout as delay } from "node:timers/promises";
import { describeGroupsV5, findCoordinatorV4 } from "@platformatic/kafka";
import type { KafkaCluster } from "./cluster.ts";
import { codesOf, KAFKA_ERROR } from "./response-codes.ts";

/** Kind of a key that a coordinator is asked for (kafka.apache.org/protocol, FindCoordinator). */
const OF_GROUP = 0;
/** Longest wait for an answer, ms. Longer delays the error of a coordinator that hangs; shorter fails with a busy one. */
const ANSWER_MS = 10_000;
/** How long a coordinator is asked for, ms: brokers that were just started have none. Longer delays the error. */
const COORDINATOR_MS = 20_000;
const RETRY_MS = 250;

/**
 * How many members a consumer group has now; 0 for one that was never joined. A member that died counts until the
 * end of its session.
 * @throws Error when the coordinator does not answer.
 */
export async function countMembers(cluster: KafkaCluster, group: string): Promise<number> {
  const untilMs = performance.now() + COORDINATOR_MS;
  for (;;) {
    try {
      return await askForMembers(cluster, group);
    } catch (error) {
      const codes = codesOf(error);
      if (codes.includes(KAFKA_ERROR.groupIdNotFound)) return 0;
      if (!codes.includes(KAFKA_ERROR.coordinatorNotAvailable) || performance.now() >= untilMs) {
        throw error;
      }
      await delay(RETRY_MS);
    }
  }
}

async function askForMembers(cluster: KafkaCluster, group: string): Promise<number> {
  const { coordinators } = await cluster.askAny((connection) =>
    findCoordinatorV4.api.async(connection, OF_GROUP, [group]),
  );
  const found = coordinators.find(({ key }) => key === group);
  if (found === undefined || found.port <= 0) throw new Error("there is no coordinator now");
  const { groups } = await cluster
    .link({ host: found.host, port: found.port }, "group state")
    .call((connection) => describeGroupsV5.api.async(connection, [group], false), ANSWER_MS);
  return groups[0]?.members.length ?? 0;
}
