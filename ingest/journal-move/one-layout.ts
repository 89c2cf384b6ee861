import { DomainError } from "../../domain/errors.ts";
import type { MovableLog } from "../../storage/ports/movable-log.ts";
import type { LogLayouts } from "../../storage/ports/platform/log-layouts.ts";

/**
 * Records are moved by where the log began to have its projects, and by nothing else.
 * @throws DomainError `MIGRATION_FAILED` for a topic that partitions were added to, `STORE_UNAVAILABLE`.
 */
export async function requireOneLayout(
  { logLayouts }: { readonly logLayouts: Pick<LogLayouts, "begin" | "read"> },
  { topicId, topic, partitions }: Pick<MovableLog, "topicId" | "topic" | "partitions">,
): Promise<void> {
  await logLayouts.begin(topicId, partitions);
  const versions = (await logLayouts.read(topicId)).partitions;
  if (versions.length === 1 && versions[0] === partitions) return;
  throw new DomainError(
    "MIGRATION_FAILED",
    `topic ${topic} began with ${versions[0]} partitions and has ${partitions} now: the journal of a topic that partitions were added to cannot be moved. To Kafka, use another KAFKA_TOPIC_PREFIX; from it, drain it as docs/several-machines.md says`,
  );
}
