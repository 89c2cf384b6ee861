import { DomainError } from "../../domain/errors.ts";
import type { MovableLog, PartitionSource } from "../../storage/ports/movable-log.ts";

/** Who holds the partitions until an ingest process takes them. */
export const HOLDER = "migrate-data";

/** Every partition, in order. @throws DomainError `STORE_UNAVAILABLE`. */
export async function openSources(
  log: Pick<MovableLog, "partitions" | "openSource">,
): Promise<readonly PartitionSource[]> {
  const sources: PartitionSource[] = [];
  try {
    for (let partition = 0; partition < log.partitions; partition += 1) {
      sources.push(await log.openSource(partition));
    }
    return sources;
  } catch (error) {
    await closeSources(sources);
    throw error;
  }
}

export async function closeSources(sources: readonly PartitionSource[]): Promise<void> {
  await Promise.all(sources.map((source) => source.close()));
}

/** @throws DomainError `MIGRATION_FAILED` while processes work on the topic. */
export async function requireIdle(log: Pick<MovableLog, "members" | "topic">): Promise<void> {
  const members = await log.members();
  if (members === 0) return;
  const processes = members === 1 ? "1 ingest process works" : `${members} ingest processes work`;
  throw new DomainError(
    "MIGRATION_FAILED",
    `${processes} on topic ${log.topic}, or did 10 s ago: stop all of them, then try again`,
  );
}
