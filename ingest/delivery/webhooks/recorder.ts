import type { Logger } from "pino";
import type { WebhookId } from "../../../domain/ids.ts";
import type {
  WebhookDelivery,
  WebhookPlace,
  WebhookRecords,
} from "../../../storage/ports/events/webhooks.ts";

/** Longest wait of a result for its transaction, ms. Chosen: as long as a person does not notice. */
const RECORD_EVERY_MS = 250;
/** Results that start a transaction at once. Chosen. */
const BATCH_ROWS = 500;
/** Results that may wait while the store is away or slow; then no more requests are sent. Chosen. */
const MAX_WAITING = 4 * BATCH_ROWS;
/** How often the cursor of a webhook that nothing is sent to is written, ms. Chosen: a restart reads that much again. */
const IDLE_CURSOR_MS = 5_000;

/** One webhook's side of the recorder. */
export interface RecordedLane {
  readonly id: WebhookId;
  /** The subscription that the lane serves; its cursor says nothing about another one. */
  readonly subscription: number;
  /** Its row is in the transaction that is put together now. */
  settle(sequence: number): void;
  /** Its row is stored. */
  recorded(sequence: number): void;
  /** Everything up to here is delivered, not wanted or settled. */
  cursor(): number;
}

/** Writes the results of all webhooks and their cursors in common transactions, one at a time. */
export interface Recorder {
  /** Whether more results may come. */
  readonly hasRoom: boolean;
  add(lane: RecordedLane, delivery: WebhookDelivery): void;
  /** Writes what is left, once; what fails is sent again after the next start. */
  stop(): Promise<void>;
}

interface Batch {
  readonly rows: readonly { readonly lane: RecordedLane; readonly delivery: WebhookDelivery }[];
  readonly cursors: ReadonlyMap<WebhookId, WebhookPlace>;
}

export function startRecorder(options: {
  readonly records: Pick<WebhookRecords, "record">;
  readonly lanes: () => Iterable<RecordedLane>;
  /** Called when there is room again. */
  readonly onRecorded: () => void;
  readonly everyMs: number | undefined;
  readonly log: Pick<Logger, "warn">;
}): Recorder {
  const { records, lanes, onRecorded, log } = options;
  let waiting: { readonly lane: RecordedLane; readonly delivery: WebhookDelivery }[] = [];
  /** A transaction that failed is repeated as it was: its rows are settled in the cursors since. */
  let unfinished: Batch | undefined;
  let writing: Promise<void> | undefined;
  let isAway = false;
  const writtenCursors = new WeakMap<RecordedLane, number>();
  let lastIdleCursorsMs = performance.now();

  function nextBatch(): Batch {
    const rows = waiting;
    waiting = [];
    for (const { lane, delivery } of rows) lane.settle(delivery.eventSequence);
    const touched = new Set(rows.map(({ lane }) => lane));
    const isIdleTurn = performance.now() - lastIdleCursorsMs >= IDLE_CURSOR_MS;
    if (isIdleTurn) lastIdleCursorsMs = performance.now();
    const cursors = new Map<WebhookId, WebhookPlace>();
    for (const lane of isIdleTurn ? new Set([...touched, ...lanes()]) : touched) {
      const { id, subscription } = lane;
      const sequence = lane.cursor();
      if (sequence > (writtenCursors.get(lane) ?? 0)) {
        cursors.set(id, { subscription, sequence });
        writtenCursors.set(lane, sequence);
      }
    }
    return { rows, cursors };
  }

  async function write(): Promise<void> {
    const batch = unfinished ?? nextBatch();
    if (batch.rows.length === 0 && batch.cursors.size === 0) return;
    unfinished = batch;
    await records.record({
      deliveries: batch.rows.map(({ delivery }) => delivery),
      cursors: batch.cursors,
    });
    unfinished = undefined;
    isAway = false;
    for (const { lane, delivery } of batch.rows) lane.recorded(delivery.eventSequence);
    onRecorded();
  }

  function flush(): Promise<void> {
    writing ??= write()
      .catch((error: unknown) => {
        if (!isAway) log.warn({ err: error }, "webhook results wait for the store");
        isAway = true;
      })
      .finally(() => {
        writing = undefined;
      });
    return writing;
  }

  const timer = setInterval(() => void flush(), options.everyMs ?? RECORD_EVERY_MS);

  return {
    get hasRoom() {
      return waiting.length + (unfinished?.rows.length ?? 0) < MAX_WAITING;
    },
    add(lane, delivery) {
      waiting.push({ lane, delivery });
      if (waiting.length >= BATCH_ROWS && unfinished === undefined) void flush();
    },
    async stop() {
      clearInterval(timer);
      await writing;
      lastIdleCursorsMs = Number.NEGATIVE_INFINITY;
      await flush();
      // The first was perhaps one that had failed before.
      if (unfinished === undefined) await flush();
    },
  };
}
