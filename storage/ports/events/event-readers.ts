/** One MQTT subscription of a kept session. */
export interface EventSubscription {
  /** Topic filter, `sites/{project}/events/...`. */
  readonly filter: string;
  /** Quality of service that was granted; events go out at 0 or 1. */
  readonly qos: 0 | 1 | 2;
  /** Events up to this sequence are older than the subscription. */
  readonly from: number;
}

/** A reader's durable place in the outbox. */
export interface EventReader {
  /** Every event up to here was acknowledged by the reader or is not wanted. */
  readonly sequence: number;
  readonly subscriptions: readonly EventSubscription[];
}

/** Readers of the outbox that keep their place while they are away: MQTT sessions and publishers. */
export interface EventReaderRecords {
  find(id: string): Promise<EventReader | undefined>;
  /**
   * The reader; one that is not there yet begins with the next event. `atMs`: when it was last seen.
   */
  open(id: string, atMs: number): Promise<EventReader>;
  /** Replaces the subscriptions of a reader; nothing when it is gone. */
  subscribe(id: string, subscriptions: readonly EventSubscription[]): Promise<void>;
  /** Moves places forward; none goes back, and none is made. `atMs`: when they were last seen. */
  advance(sequences: ReadonlyMap<string, number>, atMs: number): Promise<void>;
  /** Forgets a reader; nothing when it is not there. */
  remove(id: string): Promise<void>;
  /** How many readers there are whose id begins with `prefix`. */
  count(prefix: string): Promise<number>;
  /** Deletes a bounded number of readers not seen since `beforeMs`, and yields whether more are left. */
  expire(beforeMs: number): Promise<boolean>;
}
