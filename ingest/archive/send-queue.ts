import {
  type ArchiveBatch,
  type ArchiveFailure,
  type ArchiveLane,
  type ArchiveReceipt,
  ArchiveUnavailable,
} from "../../storage/ports/telemetry-archive.ts";
import type { PointColumns } from "../../storage/ports/telemetry-store.ts";
import { createWakeablePause } from "../pacing/wakeable-pause.ts";
import { BACK_OFF, backOffMs } from "./back-off.ts";

/** Empty batches that are kept for the next points: one is in flight while another one fills. */
const MOST_SPARE = 2;

/** A batch, and what waits for its arrival. */
interface Load {
  readonly batch: ArchiveBatch;
  readonly arrived: (() => void)[];
}

/** What a queue reports of its work. */
export interface QueueObserver {
  /** Stores what the server refused; while it throws, the queue waits. */
  readonly onReceipt: (receipt: ArchiveReceipt) => Promise<void>;
  /** A try failed; `undefined`: the next one went through. */
  readonly onFailure: (failure: ArchiveFailure | undefined) => void;
}

/**
 * One lane of the transfer to the archive: points are sent in the order in which they were added,
 * one request at a time, and repeated until the server has them. What is added while a request is
 * in flight gathers for the next one.
 */
export class SendQueue {
  readonly #lane: ArchiveLane;
  readonly #observer: QueueObserver;
  readonly #backOff: typeof BACK_OFF;
  readonly #stopping = new AbortController();
  /** Oldest first; the last may be open, and the first in flight. */
  readonly #loads: Load[] = [];
  readonly #spare: ArchiveBatch[] = [];
  readonly #pause = createWakeablePause();
  /** Whether the server has said how long to wait. */
  #isScheduled = false;
  /** The load that points are added to. */
  #open: Load | undefined;
  #running: Promise<void> | undefined;

  constructor(lane: ArchiveLane, observer: QueueObserver, backOff = BACK_OFF) {
    this.#lane = lane;
    this.#observer = observer;
    this.#backOff = backOff;
  }

  /** Memory of what the server does not have yet, bytes. */
  get bytes(): number {
    return this.#loads.reduce((sum, { batch }) => sum + batch.bytes, 0);
  }

  add(point: PointColumns): void {
    const { batch } = this.#open ?? this.#begin();
    batch.add(point);
    if (batch.isFull) this.#open = undefined;
  }

  /** Sends what was added; `arrived` is called when the server has all of it, at once when it has. */
  send(arrived: () => void): void {
    const last = this.#loads.at(-1);
    if (last === undefined) {
      arrived();
      return;
    }
    last.arrived.push(arrived);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** The server answers others again: the next try is now, unless it has said when. */
  hurry(): void {
    if (!this.#isScheduled) this.#pause.wake();
  }

  /** Gives up what is not sent; it does not arrive. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pause.wake();
    this.#lane.close();
    await this.#running;
  }

  #begin(): Load {
    const load = { batch: this.#spare.pop() ?? this.#lane.openBatch(), arrived: [] };
    this.#loads.push(load);
    this.#open = load;
    return load;
  }

  async #run(): Promise<void> {
    for (let load = this.#loads[0]; load !== undefined; load = this.#loads[0]) {
      if (this.#open === load) this.#open = undefined;
      if (!(await this.#deliver(load.batch))) return;
      this.#loads.shift();
      load.batch.clear();
      if (this.#spare.length < MOST_SPARE) this.#spare.push(load.batch);
      for (const arrived of load.arrived) arrived();
    }
  }

  /** Whether the server has the points; false when the queue was stopped. */
  async #deliver(batch: ArchiveBatch): Promise<boolean> {
    for (let tries = 0; !this.#stopping.signal.aborted; tries += 1) {
      try {
        const receipt = await this.#lane.send(batch);
        await this.#observer.onReceipt(receipt);
        this.#observer.onFailure(undefined);
        return true;
      } catch (error) {
        if (this.#stopping.signal.aborted) return false;
        const failure = failureOf(error);
        this.#observer.onFailure(failure);
        this.#isScheduled = failure.retryAfterMs !== undefined;
        await this.#pause.wait(this.#waitMs(failure, tries));
      }
    }
    return false;
  }

  #waitMs({ kind, retryAfterMs }: ArchiveFailure, tries: number): number {
    if (retryAfterMs !== undefined) return retryAfterMs;
    const ms = backOffMs(kind, tries, this.#backOff);
    // Lanes that failed together do not come back together.
    return kind === "hold" ? ms : ms * (0.75 + Math.random() / 4);
  }
}

/** Whatever is thrown, the points are not lost: the batch is tried again. */
function failureOf(error: unknown): ArchiveFailure {
  if (error instanceof ArchiveUnavailable) return error.failure;
  return { kind: "retry", reason: error instanceof Error ? error.message : String(error) };
}
