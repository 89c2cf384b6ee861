import type { Logger } from "pino";
import type { WebhookId } from "../../../domain/ids.ts";
import type {
  WebhookDelivery,
  WebhookPlace,
  WebhookRecords,
} from "../../../storage/ports/events/webhooks.ts";

/** Longest wait of a result for its transaction, ms. Chosen: as long as a person does not notice. */
const RECORD_EVERY_MS = 250;
/** Results that start a transaction at once. More make a transaction longer; fewer make more of them. */
const BATCH_ROWS = 500;
/**
 * Results that may wait while the store is away or slow; then no more requests are sent. More take memory and are
 * sent again after a crash; fewer stop sending sooner.
 */
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

interface Batch {
  readonly rows: readonly { readonly lane: RecordedLane; readonly delivery: WebhookDelivery }[];
  readonly cursors: ReadonlyMap<WebhookId, WebhookPlace>;
}

export interface RecorderOptions {
  readonly records: Pick<WebhookRecords, "record">;
  readonly lanes: () => Iterable<RecordedLane>;
  /** Called when there is room again. */
  readonly onRecorded: () => void;
  readonly everyMs: number | undefined;
  readonly log: Pick<Logger, "warn">;
}

/** Writes the results of all webhooks and their cursors in common transactions, one at a time. */
export class Recorder {
  readonly #options: RecorderOptions;
  #waiting: { readonly lane: RecordedLane; readonly delivery: WebhookDelivery }[] = [];
  /** A transaction that failed is repeated as it was: its rows are settled in the cursors since. */
  #unfinished: Batch | undefined;
  #writing: Promise<void> | undefined;
  #isAway = false;
  readonly #writtenCursors = new WeakMap<RecordedLane, number>();
  #lastIdleCursorsMs = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#flush(), this.#options.everyMs ?? RECORD_EVERY_MS);
  }

  /** Whether more results may come. */
  get hasRoom(): boolean {
    return this.#waiting.length + (this.#unfinished?.rows.length ?? 0) < MAX_WAITING;
  }

  add(lane: RecordedLane, delivery: WebhookDelivery): void {
    this.#waiting.push({ lane, delivery });
    if (this.#waiting.length >= BATCH_ROWS && this.#unfinished === undefined) void this.#flush();
  }

  /** Writes what is left, once; what fails is sent again after the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    this.#lastIdleCursorsMs = Number.NEGATIVE_INFINITY;
    await this.#flush();
    // The first was perhaps one that had failed before.
    if (this.#unfinished === undefined) await this.#flush();
  }

  #nextBatch(): Batch {
    const rows = this.#waiting;
    this.#waiting = [];
    for (const { lane, delivery } of rows) lane.settle(delivery.eventSequence);
    const touched = new Set(rows.map(({ lane }) => lane));
    const isIdleTurn = performance.now() - this.#lastIdleCursorsMs >= IDLE_CURSOR_MS;
    if (isIdleTurn) this.#lastIdleCursorsMs = performance.now();
    const cursors = new Map<WebhookId, WebhookPlace>();
    for (const lane of isIdleTurn ? new Set([...touched, ...this.#options.lanes()]) : touched) {
      const { id, subscription } = lane;
      const sequence = lane.cursor();
      if (sequence > (this.#writtenCursors.get(lane) ?? 0)) {
        cursors.set(id, { subscription, sequence });
        this.#writtenCursors.set(lane, sequence);
      }
    }
    return { rows, cursors };
  }

  async #write(): Promise<void> {
    const batch = this.#unfinished ?? this.#nextBatch();
    if (batch.rows.length === 0 && batch.cursors.size === 0) return;
    this.#unfinished = batch;
    await this.#options.records.record({
      deliveries: batch.rows.map(({ delivery }) => delivery),
      cursors: batch.cursors,
    });
    this.#unfinished = undefined;
    this.#isAway = false;
    for (const { lane, delivery } of batch.rows) lane.recorded(delivery.eventSequence);
    this.#options.onRecorded();
  }

  #flush(): Promise<void> {
    this.#writing ??= this.#write()
      .catch((error: unknown) => {
        if (!this.#isAway)
          this.#options.log.warn({ err: error }, "webhook results wait for the store");
        this.#isAway = true;
      })
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }
}
