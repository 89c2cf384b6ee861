import { DomainError } from "../../domain/errors.ts";
import type { MovableLog } from "../../storage/ports/movable-log.ts";
import type { LogLayouts } from "../../storage/ports/platform/log-layouts.ts";

type Topic = Pick<MovableLog, "topicId" | "topic" | "partitions">;

/**
 * Records are moved by where the log began to have its projects, and by nothing else.
 * @throws DomainError `MIGRATION_FAILED` for a topic that partitions were added to, `STORE_UNAVAILABLE`.
 */
export async function requireOneLayout(
  { logLayouts }: { readonly logLayouts: Pick<LogLayouts, "begin" | "read"> },
  topic: Topic,
): Promise<void> {
  await logLayouts.begin(topic.topicId, topic.partitions);
  await refuseGrownTopic({ logLayouts }, topic);
}

/** The same of a topic that nobody may have worked on yet; writes nothing. @throws as `requireOneLayout`. */
export async function refuseGrownTopic(
  { logLayouts }: { readonly logLayouts: Pick<LogLayouts, "read"> },
  { topicId, topic, partitions }: Topic,
): Promise<void> {
  const [first, ...later] = (await logLayouts.read(topicId)).partitions;
  if (first === undefined || (later.length === 0 && first === partitions)) return;
  throw new DomainError(
    "MIGRATION_FAILED",
    `topic ${topic} began with ${first} partitions and has ${partitions} now: the journal of a topic that partitions were added to cannot be moved. To Kafka, use another KAFKA_TOPIC_PREFIX; from it, drain it as docs/several-machines.md says`,
  );
}
