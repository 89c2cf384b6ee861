import { Duplex } from "node:stream";
import { joinBytes, requestState } from "./wire.ts";

/** The database end of one connection. */
export interface DatabaseEnd {
  /** Passes whole protocol messages on; `reply` gets everything the database answers. */
  request(bytes: Uint8Array<ArrayBuffer>, reply: (bytes: Uint8Array) => void): void;
  /** Says that the connection is gone; `busy` when an answer was still owed. */
  leave(busy: boolean): void;
}

/**
 * What pg takes for the socket of a PostgreSQL server. It gathers what pg writes until the database
 * owes an answer, so that one query is one message to the other thread.
 */
export class PgliteStream extends Duplex {
  readonly #open: (stream: PgliteStream) => Promise<DatabaseEnd>;
  #database: DatabaseEnd | undefined;
  #gathered: Uint8Array[] = [];
  #started = false;
  #owed = 0;

  /** `open` starts the database if need be and takes it for this stream. */
  constructor(open: (stream: PgliteStream) => Promise<DatabaseEnd>) {
    super();
    this.#open = open;
  }

  /** pg calls this with a port and a host, which mean nothing here. */
  connect(): this {
    this.#open(this).then(
      (database) => {
        this.#database = database;
        if (this.destroyed) database.leave(false);
        else this.emit("connect");
      },
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  // Of a socket; pg calls them and a thread has none of it.
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {
    // Answers are pushed when they come: pg has asked for them.
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#take([chunk], done);
  }

  override _writev(
    chunks: readonly { readonly chunk: Buffer }[],
    done: (error?: Error) => void,
  ): void {
    this.#take(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  override _final(done: (error?: Error) => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#database?.leave(this.#owed > 0);
    done(error);
  }

  #take(chunks: readonly Buffer[], done: (error?: Error) => void): void {
    try {
      for (const chunk of chunks) this.#gather(chunk);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #gather(chunk: Buffer): void {
    // The first message, the start-up packet, has no type byte and is answered.
    const state = this.#started ? requestState(chunk) : "flushed";
    this.#started = true;
    if (state === "terminated") return;
    this.#gathered.push(chunk);
    if (state === "gathering") return;
    const bytes = joinBytes(this.#gathered);
    this.#gathered = [];
    this.#owed += 1;
    this.#database?.request(bytes, (answer) => {
      this.#owed -= 1;
      this.push(answer);
    });
  }
}
