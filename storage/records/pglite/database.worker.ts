import { parentPort, workerData } from "node:worker_threads";
import { DurableFS } from "./durable-fs.ts";
import type { DatabaseThreadOptions, FromDatabase, ToDatabase } from "./messages.ts";
import { openSession } from "./session.ts";
import { startPglite } from "./start.ts";

/** The thread of the embedded database: takes protocol messages one after the other. */
const { dir } = workerData as DatabaseThreadOptions;
const port = parentPort;
if (port === null) throw new Error("this module is the entry of a worker thread");

/** Why the backend gave up, in its own words. */
let lastWords = "";

/** Ends the thread with the reason; the next one recovers what was committed. */
function fail(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  send({ type: "failed", reason: lastWords === "" ? reason : `${reason} (${lastWords})` });
  // An exception would be caught inside PGlite, which would go on.
  process.exit(1);
}

const fs = new DurableFS(dir, fail);
const database = await startPglite(fs, (line) => {
  if (/\b(PANIC|FATAL):/.test(line)) lastWords = line.trim();
}).catch(fail);
const session = openSession(database, () => fs.writtenBytes, fail);

async function handle(message: ToDatabase): Promise<void> {
  if (message.type === "close") {
    session.close();
    await database.close();
    process.exit(0);
  }
  const bytes = await session.request(message.connection, message.bytes);
  send({ type: "answer", connection: message.connection, bytes });
  await session.maintain();
}

function send(message: FromDatabase): void {
  const moved = message.type === "answer" ? [message.bytes.buffer] : [];
  port?.postMessage(message, moved);
}

let queue: Promise<void> = session.maintain();
port.on("message", (message: ToDatabase) => {
  queue = queue.then(() => handle(message)).catch(fail);
});
send({ type: "ready" });
