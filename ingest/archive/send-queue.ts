import { setTimeout as delay } from "node:timers/promises";
import {
  type ArchiveFailure,
  type ArchiveLane,
  type ArchiveReceipt,
  ArchiveUnavailable,
} from "../../storage/ports/telemetry-archive.ts";
import type { TelemetryPoint } from "../../storage/ports.ts";
import { BACK_OFF, backOffMs } from "./back-off.ts";

/** Points of one request at most; queued parts are joined up to it. See `MOST_LINES` of the adapter. */
const MOST_POINTS = 5_000;

interface Part {
  readonly points: readonly TelemetryPoint[];
  readonly done: () => void;
}

/** What a queue tells of its work. */
export interface QueueObserver {
  /** Stores what the server refused; while it throws, the queue waits. */
  readonly onReceipt: (receipt: ArchiveReceipt) => Promise<void>;
  /** A try failed; `undefined`: the next one went through. */
  readonly onFailure: (failure: ArchiveFailure | undefined) => void;
}

/**
 * One lane of the way to the archive: parts are sent in the order in which they came, one request at a
 * time, for ever until the server has them. `done` of a part is called when it has.
 */
export class SendQueue {
  readonly #lane: ArchiveLane;
  readonly #observer: QueueObserver;
  readonly #backOff: typeof BACK_OFF;
  readonly #stopping = new AbortController();
  #parts: Part[] = [];
  #running: Promise<void> | undefined;

  constructor(lane: ArchiveLane, observer: QueueObserver, backOff = BACK_OFF) {
    this.#lane = lane;
    this.#observer = observer;
    this.#backOff = backOff;
  }

  push(points: readonly TelemetryPoint[], done: () => void): void {
    this.#parts.push({ points, done });
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Gives up what is not sent; it is not `done`. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#lane.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    // In a turn of its own, so that parts pushed together are joined.
    await Promise.resolve();
    while (this.#parts.length > 0 && !this.#stopping.signal.aborted) {
      const parts = this.#takeParts();
      const points = parts.length === 1 ? (parts[0]?.points ?? []) : parts.flatMap((p) => p.points);
      if (await this.#deliver(points)) for (const { done } of parts) done();
    }
  }

  #takeParts(): readonly Part[] {
    let count = 0;
    let taken = 0;
    for (const { points } of this.#parts) {
      if (taken > 0 && count + points.length > MOST_POINTS) break;
      count += points.length;
      taken += 1;
    }
    return this.#parts.splice(0, taken);
  }

  /** Whether the server has the points; false when the queue was stopped. */
  async #deliver(points: readonly TelemetryPoint[]): Promise<boolean> {
    for (let tries = 0; !this.#stopping.signal.aborted; tries += 1) {
      try {
        const receipt = await this.#lane.send(points);
        await this.#observer.onReceipt(receipt);
        this.#observer.onFailure(undefined);
        return true;
      } catch (error) {
        if (this.#stopping.signal.aborted) return false;
        const failure = failureOf(error);
        this.#observer.onFailure(failure);
        const ms = this.#waitMs(failure, tries);
        await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
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

/** Whatever is thrown, the points are not lost: the part is tried again. */
function failureOf(error: unknown): ArchiveFailure {
  if (error instanceof ArchiveUnavailable) return error.failure;
  return { kind: "retry", reason: error instanceof Error ? error.message : String(error) };
}
