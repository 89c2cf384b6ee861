import type { ServerResponse } from "node:http";

/** After how long a client whose stream ended reconnects, ms. */
const RETRY_MS = 3_000;
/**
 * How long a reader may take what was written before the end, ms: longer delays a stop, shorter cuts off
 * slow readers.
 */
const LINGER_MS = 1_000;

/** Why a stream ended: the client left, was too slow, lost its key, or this side could not go on. */
export type StreamEnd = "left" | "slow" | "revoked" | "closing" | "failed";

export interface SseConnectionOptions {
  /** With its headers set and nothing sent. */
  readonly response: ServerResponse;
  /** Called whenever the client has taken all of what was waiting, and once at the end. Never throws. */
  readonly onDrain: () => void;
  /** Called once, when the connection is gone; `error`: what `failed` was. */
  readonly onEnd: (why: StreamEnd, error?: unknown) => void;
}

/** The connection of one client of server-sent events: what was written, what of it was taken, and the end. */
export class SseConnection {
  readonly #response: ServerResponse;
  readonly #onDrain: () => void;
  #end: StreamEnd | undefined;
  #error: unknown;
  /** Writes begun and writes that the socket took, in all. */
  #begun = 0;
  #done = 0;
  /** Where these stood at the last ping. */
  #lastBegun = 0;
  #lastDone = 0;

  constructor({ response, onDrain, onEnd }: SseConnectionOptions) {
    this.#response = response;
    this.#onDrain = onDrain;
    response.on("drain", onDrain);
    // A socket that fails also closes.
    response.on("error", () => undefined);
    response.once("close", () => {
      this.#end ??= "left";
      onDrain();
      onEnd(this.#end, this.#error);
    });
  }

  /** Nothing is written any more. */
  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Bytes that the socket has not taken yet. */
  get waitingBytes(): number {
    return this.#response.writableLength;
  }

  /** Whether more is waiting than a quick client lets wait; `onDrain` is called when it was taken. */
  get needsDrain(): boolean {
    return this.#response.writableNeedDrain;
  }

  /** Sends the beginning: when to reconnect, and an id for a client that is cut before its first message. */
  begin(id: string): void {
    this.write(`retry: ${RETRY_MS}\nid: ${id}\n\n`);
  }

  /** Writes the parts as one; `taken` is called when the socket has them. */
  write(text: string, rest?: Buffer, taken?: () => void): void {
    if (this.isOver) return;
    this.#begun += 1;
    const onWritten = () => {
      this.#done += 1;
      taken?.();
    };
    if (rest === undefined) {
      this.#response.write(text, onWritten);
      return;
    }
    this.#response.cork();
    this.#response.write(text);
    this.#response.write(rest, onWritten);
    this.#response.uncork();
  }

  /**
   * Shows the client, and whatever is in between, that the stream lives, and moves the client's last id on past
   * what it did not ask for. A client that took nothing of what waited for it at the last ping is dropped.
   */
  ping(id: string): void {
    if (this.isOver) return;
    const wasWaiting = this.#lastBegun > this.#lastDone;
    if (wasWaiting && this.#done === this.#lastDone) {
      this.drop();
      return;
    }
    this.#lastBegun = this.#begun;
    this.#lastDone = this.#done;
    this.write(`: ping\nid: ${id}\n\n`);
  }

  /** Ends the stream behind what was written; a client that does not take that is cut off. */
  end(why: Exclude<StreamEnd, "left" | "slow">, error?: unknown): void {
    if (this.isOver) return;
    this.#end = why;
    this.#error = error;
    this.#onDrain();
    this.#response.end();
    const timer = setTimeout(() => this.#response.destroy(), LINGER_MS);
    this.#response.once("close", () => clearTimeout(timer));
  }

  /** Cuts off a client that is too slow. */
  drop(): void {
    if (this.isOver) return;
    this.#end = "slow";
    this.#response.destroy();
  }
}
