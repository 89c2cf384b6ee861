import type { NewEvent, StoredEvent } from "../../../domain/events/events.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";

/** Which events are read. A type matches itself and, with a trailing `*`, everything it is a prefix of. */
export interface EventFilter {
  /** Absent: all, also events of no project. */
  readonly projectIds?: readonly ProjectId[];
  readonly assetId?: AssetId;
  readonly types?: readonly string[];
  readonly limit: number;
}

/** The outbox: everything that ever happened, in the order in which it became visible. */
export interface EventRecords {
  /** Events with a sequence above `after`, ascending. */
  after(after: number, filter: EventFilter): Promise<readonly StoredEvent[]>;
  /** Events with a sequence below `before`, descending. */
  before(before: number, filter: EventFilter): Promise<readonly StoredEvent[]>;
  /** The newest sequence given out; 0 before the first event. */
  lastSequence(): Promise<number>;
  /** Sequence of the oldest event that is kept; one above the newest given out when none is. */
  oldestSequence(): Promise<number>;
  /** For events raised outside the pipeline. One that exists (id, revision) is left alone. */
  append(events: readonly NewEvent[]): Promise<void>;
  /**
   * Deletes a bounded number of events recorded before `beforeMs`, and yields whether more are left.
   * Events that an active webhook has not dealt with, or has yet to deliver, stay.
   */
  expire(beforeMs: number): Promise<boolean>;
}
