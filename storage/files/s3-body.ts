import { Readable } from "node:stream";
import { s3Failure } from "./s3-failure.ts";

/**
 * The body of an answer. It fails with `STORE_UNAVAILABLE` when the connection breaks, and when the server sends
 * nothing for `idleMs` while a reader waits. The time that a reader takes does not count: a slow client may read
 * for hours.
 */
export function s3Body(source: Readable, idleMs: number): Readable {
  return new S3Body(source, idleMs);
}

class S3Body extends Readable {
  readonly #source: Readable;
  readonly #idleMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(source: Readable, idleMs: number) {
    super();
    this.#source = source;
    this.#idleMs = idleMs;
    source.pause();
    source.on("data", (chunk: Uint8Array) => {
      if (this.push(chunk)) {
        this.#timer?.refresh();
        return;
      }
      this.#stopWaiting();
      source.pause();
    });
    source.once("end", () => {
      this.#stopWaiting();
      this.push(null);
    });
    source.once("error", (error) => this.destroy(s3Failure(error)));
    source.once("close", () => {
      if (!source.readableEnded) this.destroy(s3Failure(new Error("the connection was closed")));
    });
  }

  override _read(): void {
    this.#timer ??= setTimeout(() => {
      this.destroy(s3Failure(new Error(`the server sent nothing for ${this.#idleMs} ms`)));
    }, this.#idleMs);
    this.#source.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#stopWaiting();
    this.#source.destroy();
    done(error);
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
