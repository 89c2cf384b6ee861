import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import type { DatabaseThreadOptions } from "./messages.ts";

/**
 * Makes an empty database cluster, whole or not at all: in a folder beside it, synced, then renamed.
 * A thread of its own because initdb leaves some 500 MB behind, which go with the thread.
 */
const { dir } = workerData as DatabaseThreadOptions;
const unfinished = `${dir}.unfinished`;

rmSync(unfinished, { recursive: true, force: true });
const database = await PGlite.create(unfinished);
await database.close();
syncTree(unfinished);
renameSync(unfinished, dir);
// The folder's own entry, and that of the folder it is in, which may be new too.
syncOne(dirname(dir));
syncOne(dirname(dirname(dir)));
// PGlite's runtime would keep the thread alive.
process.exit(0);

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else syncOne(path);
  }
  syncOne(folder);
}

function syncOne(path: string): void {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
