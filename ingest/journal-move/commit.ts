import type { ForwarderProgress } from "../../storage/ports/events/forwarders.ts";
import type { PipelineCommit } from "../../storage/ports/pipeline.ts";

/** A commit that moves a checkpoint and changes nothing else. */
export const NOTHING_ELSE: Omit<PipelineCommit, "checkpoint"> = {
  states: [],
  days: [],
  quarantined: [],
  events: [],
  visits: [],
  alerts: [],
  shared: new Map(),
};

/** A forwarder's place in the journal that it goes on in; what it counted stays with the journals where it was. */
export function movedProgress(
  one: ForwarderProgress,
  journalId: string,
  sequence: number,
  counted: readonly ForwarderProgress[],
): ForwarderProgress {
  const { forwarderId, lastSentAtMs, lastError } = one;
  const known = counted.find(
    (row) => row.forwarderId === forwarderId && row.journalId === journalId,
  );
  const { sent = 0, skipped = {} } = known ?? {};
  const waiting = { heldSinceMs: undefined, behind: undefined };
  return { forwarderId, journalId, sequence, sent, skipped, lastSentAtMs, lastError, ...waiting };
}
