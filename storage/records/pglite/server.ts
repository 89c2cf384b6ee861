import { existsSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { DomainError } from "../../../domain/errors.ts";
import { openWorker } from "../../worker-thread/open.ts";
import type { DatabaseThreadOptions, FromDatabase, ToDatabase } from "./messages.ts";
import { unpackCluster } from "./prepared.ts";
import { type DatabaseEnd, PgliteStream } from "./stream.ts";

/**
 * Longest wait for a clean shutdown, ms: the last checkpoint of a busy database. Less would make the next
 * start recover; more delays the stop.
 */
const CLOSE_MS = 10_000;

/** One life of the database thread. */
interface DatabaseThread {
  readonly worker: Worker;
  /** Resolves with the reason when it has ended, however it did. */
  readonly ended: Promise<string>;
  readonly exitCode: Promise<number>;
  /** Resolves when it serves; rejects when it ended before. */
  readonly ready: Promise<void>;
  /** Calls the listener with the outcome of the next copy. */
  onCopied(listener: (problem: string | undefined) => void): void;
}

/** A connection that the answers go to. */
interface Attached {
  readonly number: number;
  readonly stream: PgliteStream;
  reply: (bytes: Uint8Array) => void;
}

/** The embedded database in its thread, seen as a server that takes one connection at a time. */
export class PgliteServer {
  readonly #dir: string;
  readonly #parameters: readonly string[];
  readonly #onFlushed: (lsn: number) => void;
  #isTrusted = false;
  #current: Promise<DatabaseThread> | undefined;
  #lastEnded: Promise<unknown> = Promise.resolve();
  #attached: Attached | undefined;
  #connections = 0;
  #closed = false;

  /**
   * A server on the cluster in `dir`, which this process must have locked. `onFlushed` gets about once a
   * second how far the log is on disk (LSN).
   */
  constructor(
    dir: string,
    parameters: readonly string[] = [],
    onFlushed: (lsn: number) => void = () => undefined,
  ) {
    this.#dir = dir;
    this.#parameters = parameters;
    this.#onFlushed = onFlushed;
  }

  /** Opens the database, creating it first if it is not there. */
  async start(): Promise<void> {
    await this.#running();
  }

  /** Says that the cluster's files were found to be sound, before which nothing is done in the background. */
  trust(): void {
    this.#isTrusted = true;
    const message: ToDatabase = { type: "trusted" };
    // A thread that starts anew gets it from the outset.
    void this.#current?.then(
      ({ worker }) => worker.postMessage(message),
      () => undefined,
    );
  }

  /** A socket to it for pg. Connecting starts the thread again if it ended. */
  connect(): PgliteStream {
    return new PgliteStream((stream) => this.#attach(stream));
  }

  /** Copies the cluster, as it is between two transactions, to a folder that must not exist. */
  async copyTo(to: string): Promise<void> {
    const thread = await this.#running();
    await new Promise<void>((resolve, reject) => {
      thread.onCopied((problem) => {
        if (problem === undefined) resolve();
        else reject(new DomainError("STORE_UNAVAILABLE", `the records: ${problem}`));
      });
      void thread.ended.then((reason) => reject(stopped(reason)));
      const message: ToDatabase = { type: "copy", to };
      thread.worker.postMessage(message);
    });
  }

  /** Whether the cluster was shut down cleanly, so that its files are final. */
  async close(): Promise<boolean> {
    this.#closed = true;
    const thread = await this.#current?.catch(() => undefined);
    if (thread === undefined) {
      await this.#lastEnded;
      return false;
    }
    const goodbye: ToDatabase = { type: "close" };
    thread.worker.postMessage(goodbye);
    const late = setTimeout(() => void thread.worker.terminate(), CLOSE_MS);
    const code = await thread.exitCode;
    clearTimeout(late);
    return code === 0;
  }

  async #launch(): Promise<DatabaseThread> {
    // Two threads on one folder would destroy it.
    await this.#lastEnded;
    if (!existsSync(this.#dir)) await createCluster(this.#dir);
    const onAnswer = (number: number, bytes: Uint8Array) => {
      // Answers to a connection that is gone concern nobody.
      if (this.#attached?.number === number) this.#attached.reply(bytes);
    };
    const options = { dir: this.#dir, parameters: this.#parameters, isTrusted: this.#isTrusted };
    const thread = startThread(options, onAnswer, this.#onFlushed);
    this.#lastEnded = thread.ended.then((reason) =>
      this.#attached?.stream.destroy(stopped(reason)),
    );
    await thread.ready;
    return thread;
  }

  #running(): Promise<DatabaseThread> {
    if (this.#closed) return Promise.reject(stopped("closed"));
    if (this.#current !== undefined) return this.#current;
    const launched = this.#launch();
    this.#current = launched;
    const forget = () => {
      if (this.#current === launched) this.#current = undefined;
    };
    launched.then((thread) => thread.ended.then(forget), forget);
    return launched;
  }

  /** Takes the database for one stream. */
  async #attach(stream: PgliteStream): Promise<DatabaseEnd> {
    const launched = this.#running();
    const { worker } = await launched;
    this.#connections += 1;
    const own: Attached = { number: this.#connections, stream, reply: () => undefined };
    this.#attached = own;
    return {
      request(bytes, reply) {
        own.reply = reply;
        const message: ToDatabase = { type: "request", connection: own.number, bytes };
        worker.postMessage(message, [bytes.buffer]);
      },
      leave: (busy) => {
        if (this.#attached === own) this.#attached = undefined;
        if (!busy) return;
        // A query that nobody waits for any more would hold up all others: the thread goes, and
        // the next one recovers what was committed.
        if (this.#current === launched) this.#current = undefined;
        void worker.terminate();
      },
    };
  }
}

function startThread(
  workerData: DatabaseThreadOptions,
  onAnswer: (connection: number, bytes: Uint8Array) => void,
  onFlushed: (lsn: number) => void,
): DatabaseThread {
  const worker = openWorker(import.meta.url, "./database", { workerData });
  let reason = "its thread ended";
  worker.on("error", (error) => {
    reason = error.message;
  });
  const exitCode = new Promise<number>((resolve) => worker.once("exit", resolve));
  const ended = exitCode.then(() => reason);
  let copied: (problem: string | undefined) => void = () => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    worker.on("message", (message: FromDatabase) => {
      if (message.type === "answer") onAnswer(message.connection, message.bytes);
      else if (message.type === "flushed") onFlushed(message.lsn);
      else if (message.type === "ready") resolve();
      else if (message.type === "copied") copied(message.problem);
      else reason = message.reason;
    });
    void ended.then(() => reject(stopped(reason)));
  });
  const onCopied: DatabaseThread["onCopied"] = (listener) => {
    copied = listener;
  };
  return { worker, ended, exitCode, ready, onCopied };
}

async function createCluster(dir: string): Promise<void> {
  try {
    await unpackCluster(dir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DomainError("STORE_UNAVAILABLE", `the database cannot be made: ${reason}`);
  }
}

function stopped(reason: string): DomainError {
  return new DomainError("STORE_UNAVAILABLE", `the embedded database has stopped: ${reason}`);
}
