import { existsSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { DomainError } from "../../../domain/errors.ts";
import { openWorker } from "../../worker-thread/open.ts";
import type { DatabaseThreadOptions, FromDatabase, ToDatabase } from "./messages.ts";
import { unpackCluster } from "./prepared.ts";
import { type DatabaseEnd, PgliteStream } from "./stream.ts";

/** Longest wait for a clean shutdown, ms: the last checkpoint of a busy database. Chosen. */
const CLOSE_MS = 10_000;

/** The embedded database in its thread, seen as a server that takes one connection at a time. */
export interface PgliteServer {
  /** Opens the database, creating it first if it is not there. */
  start(): Promise<void>;
  /** Says that the cluster's files were found to be sound, before which nothing is done in the background. */
  trust(): void;
  /** A socket to it for pg. Connecting starts the thread again if it ended. */
  connect(): PgliteStream;
  /** Copies the cluster, as it is between two transactions, to a folder that must not exist. */
  copyTo(dir: string): Promise<void>;
  /** Whether the cluster was shut down cleanly, so that its files are final. */
  close(): Promise<boolean>;
}

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

/**
 * A server on the cluster in `dir`, which this process must have locked. `onFlushed` gets about once a second
 * how far the log is on disk (LSN).
 */
export function createPgliteServer(
  dir: string,
  parameters: readonly string[] = [],
  onFlushed: (lsn: number) => void = () => undefined,
): PgliteServer {
  let isTrusted = false;
  let current: Promise<DatabaseThread> | undefined;
  let lastEnded: Promise<unknown> = Promise.resolve();
  let attached: Attached | undefined;
  let connections = 0;
  let closed = false;

  async function launch(): Promise<DatabaseThread> {
    // Two threads on one folder would destroy it.
    await lastEnded;
    if (!existsSync(dir)) await createCluster(dir);
    const onAnswer = (number: number, bytes: Uint8Array) => {
      // Answers to a connection that is gone concern nobody.
      if (attached?.number === number) attached.reply(bytes);
    };
    const thread = startThread({ dir, parameters, isTrusted }, onAnswer, onFlushed);
    lastEnded = thread.ended.then((reason) => attached?.stream.destroy(stopped(reason)));
    await thread.ready;
    return thread;
  }

  function running(): Promise<DatabaseThread> {
    if (closed) return Promise.reject(stopped("closed"));
    if (current !== undefined) return current;
    const launched = launch();
    current = launched;
    const forget = () => {
      if (current === launched) current = undefined;
    };
    launched.then((thread) => thread.ended.then(forget), forget);
    return launched;
  }

  /** Takes the database for one stream. */
  async function attach(stream: PgliteStream): Promise<DatabaseEnd> {
    const launched = running();
    const { worker } = await launched;
    connections += 1;
    const own: Attached = { number: connections, stream, reply: () => undefined };
    attached = own;
    return {
      request(bytes, reply) {
        own.reply = reply;
        const message: ToDatabase = { type: "request", connection: own.number, bytes };
        worker.postMessage(message, [bytes.buffer]);
      },
      leave(busy) {
        if (attached === own) attached = undefined;
        if (!busy) return;
        // A query that nobody waits for any more would hold up all others: the thread goes, and
        // the next one recovers what was committed.
        if (current === launched) current = undefined;
        void worker.terminate();
      },
    };
  }

  return {
    async start() {
      await running();
    },
    trust() {
      isTrusted = true;
      const message: ToDatabase = { type: "trusted" };
      // A thread that starts anew gets it from the outset.
      void current?.then(
        ({ worker }) => worker.postMessage(message),
        () => undefined,
      );
    },
    connect: () => new PgliteStream(attach),
    async copyTo(to) {
      const thread = await running();
      await new Promise<void>((resolve, reject) => {
        thread.onCopied((problem) => {
          if (problem === undefined) resolve();
          else reject(new DomainError("STORE_UNAVAILABLE", `the records: ${problem}`));
        });
        void thread.ended.then((reason) => reject(stopped(reason)));
        const message: ToDatabase = { type: "copy", to };
        thread.worker.postMessage(message);
      });
    },
    async close() {
      closed = true;
      const thread = await current?.catch(() => undefined);
      if (thread === undefined) {
        await lastEnded;
        return false;
      }
      const goodbye: ToDatabase = { type: "close" };
      thread.worker.postMessage(goodbye);
      const late = setTimeout(() => void thread.worker.terminate(), CLOSE_MS);
      const code = await thread.exitCode;
      clearTimeout(late);
      return code === 0;
    },
  };
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
