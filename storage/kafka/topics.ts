import { createTopicsV7 } from "@platformatic/kafka";
import { DomainError } from "../../domain/errors.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { KafkaCluster, KafkaTopic } from "./cluster.ts";
import { codesOf, KAFKA_ERROR, reasonOf } from "./response-codes.ts";

/**
 * How long the brokers keep a record, ms. Longer bridges longer outages of the stores behind the log; shorter
 * needs less disk. Chosen: 4 days, as the local telemetry store keeps beside InfluxDB.
 */
const RETENTION_MS = 96 * HOUR_MS;
/** Largest batch that the brokers take, bytes: a record of the largest size that we append, and its frame. */
const MAX_BATCH_BYTES = 5 * 1024 ** 2;
/** Replicas of each partition where there are as many brokers: one may be lost, and one stopped, without loss. */
const REPLICAS = 3;
/** Longest wait for a topic to be made, ms. Longer delays the error of a cluster that cannot. */
const CREATE_MS = 30_000;

export interface TopicSpec {
  readonly name: string;
  readonly partitions: number;
  /** Default: 3, or as many as there are brokers. */
  readonly replicas?: number;
}

/**
 * The topic, made when there is none.
 * @throws DomainError `SETTINGS_INVALID` with the command that makes it, when the brokers do not let us.
 */
export async function ensureTopic(
  cluster: KafkaCluster,
  spec: TopicSpec,
  bootstrap: string,
): Promise<KafkaTopic> {
  const known = await cluster.topic(spec.name);
  if (known !== undefined) return known;
  const replicas = spec.replicas ?? Math.min(REPLICAS, Math.max(1, cluster.brokerCount));
  const configs = configsOf(replicas);
  try {
    await cluster.askAny(
      (connection) =>
        createTopicsV7.api.async(
          connection,
          [
            {
              name: spec.name,
              numPartitions: spec.partitions,
              replicationFactor: replicas,
              assignments: [],
              configs: configs.map(([name, value]) => ({ name, value })),
            },
          ],
          CREATE_MS,
          false,
        ),
      CREATE_MS,
    );
  } catch (error) {
    const codes = codesOf(error);
    if (codes.length === 0) throw error;
    // Another process of ours was faster.
    if (!codes.includes(KAFKA_ERROR.topicAlreadyExists)) {
      throw new DomainError(
        "SETTINGS_INVALID",
        `Kafka does not let this service make topic ${spec.name} (${reasonOf(error)}); make it with: ${commandOf(spec, replicas, bootstrap)}`,
        { cause: error },
      );
    }
  }
  return await untilKnown(cluster, spec.name);
}

/** With 3 replicas an acknowledged record is on 2 brokers at least; with fewer, one that is down must not stop intake. */
function configsOf(replicas: number): readonly (readonly [name: string, value: string])[] {
  return [
    ["cleanup.policy", "delete"],
    ["retention.ms", String(RETENTION_MS)],
    ["retention.bytes", "-1"],
    ["min.insync.replicas", replicas >= REPLICAS ? "2" : "1"],
    ["unclean.leader.election.enable", "false"],
    ["message.timestamp.type", "LogAppendTime"],
    ["max.message.bytes", String(MAX_BATCH_BYTES)],
  ];
}

/** The call of Kafka's own tool that makes the topic as we would. */
function commandOf({ name, partitions }: TopicSpec, replicas: number, bootstrap: string): string {
  const configs = configsOf(replicas).map(([key, value]) => `--config ${key}=${value}`);
  return [
    `kafka-topics.sh --bootstrap-server ${bootstrap} --create --topic ${name}`,
    `--partitions ${partitions} --replication-factor ${replicas}`,
    ...configs,
  ].join(" ");
}

/** How often brokers are asked for a topic that was just made, ms. Longer delays the start; shorter asks them more often. */
const POLL_MS = 100;

/** Brokers learn of a new topic, and of its leaders, a moment after it was made. */
async function untilKnown(cluster: KafkaCluster, name: string): Promise<KafkaTopic> {
  const untilMs = performance.now() + CREATE_MS;
  for (;;) {
    cluster.forget(name);
    const topic = await cluster.topic(name);
    if (topic?.leaders.every((leader) => leader !== undefined)) return topic;
    if (performance.now() >= untilMs) {
      throw new DomainError("STORE_UNAVAILABLE", `topic ${name} has partitions without a leader`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
