import { constants, cpSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import { markCluster, whileUnmarked } from "./cluster-marks.ts";
import { DurableFS } from "./durable-fs.ts";
import type { DatabaseThreadOptions, FromDatabase, ToDatabase } from "./messages.ts";
import { Session } from "./session.ts";
import { startPglite } from "./start.ts";

/** The thread of the embedded database: takes protocol messages one after the other. */
const { dir, parameters = [], ...options } = workerData as DatabaseThreadOptions;
const port = parentPort;
if (port === null) throw new Error("this module is the entry of a worker thread");

/**
 * How often the synced end of the log is stored for the next start, ms. Damage to what was written since then
 * passes for a torn end; each time costs one short query.
 */
const SEND_FLUSHED_MS = 1_000;

/** Why the backend gave up, in its own words. */
let lastWords = "";

/** Ends the thread with the reason; the next one recovers what was committed. */
function fail(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  send({ type: "failed", reason: lastWords === "" ? reason : `${reason} (${lastWords})` });
  // An exception would be caught inside PGlite, which would go on.
  process.exit(1);
}

/** Nothing is marked, and nothing makes files shorter, until the marks of the last life were checked. */
let isTrusted = options.isTrusted;

/** Marks that cannot be written, as on a full disk, stay the last ones: less is noticed, nothing is wrong. */
function mark(): void {
  if (!isTrusted) return;
  try {
    markCluster(dir);
  } catch {
    // The next checkpoint tries again.
  }
}

const fs = new DurableFS(dir, fail);
const onLog = (line: string): void => {
  if (/\b(PANIC|FATAL):/.test(line)) lastWords = line.trim();
};
function send(message: FromDatabase): void {
  const moved = message.type === "answer" ? [message.bytes.buffer] : [];
  port?.postMessage(message, moved);
}

/** Serves from here on. Not awaited at the top level, which CommonJS, as a start loads it, does not have. */
function serve(database: PGlite): void {
  const session = new Session(database, () => fs.writtenBytes, {
    onCheckpoint: mark,
    aroundVacuum: (vacuum) => whileUnmarked(dir, vacuum),
    onDead: fail,
  });

  /** Where a copy was asked for and waits for the end of a transaction. */
  let copyTo: string | undefined;

  async function handle(message: ToDatabase): Promise<void> {
    if (message.type === "close") {
      session.close();
      await database.close();
      process.exit(0);
    }
    if (message.type === "trusted") {
      isTrusted = true;
      // Opening the cluster ended with a checkpoint.
      mark();
      await session.maintain();
    } else if (message.type === "copy") {
      copyTo = message.to;
    } else {
      const bytes = await session.request(message.connection, message.bytes);
      send({ type: "answer", connection: message.connection, bytes });
      if (isTrusted) await session.maintain();
    }
    if (copyTo !== undefined && session.isIdle) await copyCluster(copyTo);
  }

  /**
   * Copies the cluster. Nothing is written meanwhile: the one backend is this thread. The write-ahead
   * log goes along, so that the copy opens like a cluster after a crash: with every commit.
   */
  async function copyCluster(to: string): Promise<void> {
    copyTo = undefined;
    try {
      await session.checkpoint();
      cpSync(dir, to, { recursive: true, errorOnExist: true, mode: constants.COPYFILE_FICLONE });
      send({ type: "copied" });
    } catch (error) {
      // The copy's disk may be full; the database itself is as well as before.
      send({ type: "copied", problem: error instanceof Error ? error.message : String(error) });
    }
  }

  let notedBytes = 0;

  /** Sends how far the log is on disk, if something was written since it was last sent. */
  async function sendFlushed(): Promise<void> {
    const written = fs.writtenBytes;
    if (written === notedBytes || !session.isIdle || !isTrusted) return;
    notedBytes = written;
    send({ type: "flushed", lsn: await session.flushedLsn() });
  }

  let queue: Promise<void> = isTrusted ? session.maintain() : Promise.resolve();
  port?.on("message", (message: ToDatabase) => {
    queue = queue.then(() => handle(message)).catch(fail);
  });
  let isSending = false;
  setInterval(() => {
    if (isSending) return;
    isSending = true;
    queue = queue
      .then(sendFlushed)
      .catch(fail)
      .finally(() => {
        isSending = false;
      });
  }, SEND_FLUSHED_MS).unref();
  send({ type: "ready" });
}

void startPglite(fs, onLog, parameters).then(serve).catch(fail);
