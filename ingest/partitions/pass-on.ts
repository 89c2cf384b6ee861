import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "../../domain/errors.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type { SharedJournal } from "../../storage/ports/shared-journal.ts";
import { encodeHandedOver } from "../journal-record/handed-over.ts";
import { RECORD_KIND } from "../journal-record/journal-record.ts";
import type { PipelineShare } from "../pipeline/territory.ts";
import type { LogLayout } from "./log-layout.ts";
import { appendCounted } from "./record-router.ts";

/**
 * Longest wait for a record to be durable in another partition, ms: a stop must not wait for brokers that are away.
 * Longer delays a stop; shorter appends a record twice to slow brokers, which changes nothing.
 */
const ANSWER_MS = 3_000;
/**
 * How long a record that was passed on before waits, ms: processes learn of a move within a second, and until all
 * have, two of them would give it back to each other. Longer delays it; shorter lets it go round more often.
 */
const AGAIN_MS = 1_000;

/**
 * Puts records of assets that have moved to a project of another partition into that one. A record keeps the name of
 * the place where it was acknowledged, so one that is put there twice is processed once.
 */
export function createPassOn(options: {
  readonly journal: Pick<SharedJournal, "append" | "state" | "partitions">;
  /** By the version of the partition that passes on, at least: an older one would give the record back. */
  readonly put: (projectId: ProjectId) => ReturnType<LogLayout["put"]>;
  /** Identity of this partition's journal: records that were acknowledged elsewhere were passed on before. */
  readonly journalId: string;
  readonly now: () => number;
}): PipelineShare["passOn"] {
  const { journal, put, journalId, now } = options;
  return async (projectId, handedOver) => {
    if (handedOver.origin.journalId !== journalId) await delay(AGAIN_MS);
    if (journal.state !== "open") throw notTaken();
    const appended = new Promise<void>((resolve, reject) => {
      const { partition, answered } = put(projectId);
      if (partition >= journal.partitions) {
        answered();
        throw notTaken();
      }
      appendCounted(
        journal,
        {
          partition,
          key: projectId,
          kind: RECORD_KIND.handedOver,
          timeMs: now(),
          body: encodeHandedOver(handedOver),
        },
        answered,
        (error) => (error === undefined ? resolve() : reject(error)),
      );
    });
    const waiting = new AbortController();
    const { signal } = waiting;
    const late = delay(ANSWER_MS, undefined, { signal }).then(() => Promise.reject(notTaken()));
    // The wait that was ended is no failure.
    late.catch(() => undefined);
    await Promise.race([appended, late]).finally(() => waiting.abort());
  };
}

const notTaken = (): DomainError =>
  new DomainError("STORE_UNAVAILABLE", "records cannot be passed on to another partition");
