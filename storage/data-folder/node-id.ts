import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import { makeFileOnce } from "./small-file.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Who this ingest process is among several: a UUID in `DATA_DIR/node.id`, made at the first start.
 * @throws DomainError `STORE_UNAVAILABLE` when the file cannot be read or made, or holds something else.
 */
export async function loadNodeId(dataDir: string): Promise<string> {
  const path = join(dataDir, "node.id");
  try {
    await mkdir(dataDir, { recursive: true });
    const known = (await readExisting(path))?.trim();
    // Empty: a kill in the middle of the first start left it, before anything was done under the id.
    if (known === undefined || known === "") return await makeNew(path);
    if (!UUID.test(known)) throw new Error("holds no UUID");
    return known;
  } catch (cause) {
    throw new DomainError("STORE_UNAVAILABLE", `node id file ${path} cannot be used`, { cause });
  }
}

async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Synced before it is used: under another id the journal would be evaluated from its start again. */
async function makeNew(path: string): Promise<string> {
  const id = randomUUID();
  await makeFileOnce(path, `${id}\n`);
  return id;
}
