import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { StorageShortage } from "../../../domain/platform/storage-shortage.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import { syncFolder } from "../../../storage/data-folder/sync-folder.ts";
import { diskError } from "../../../storage/disk/disk-error.ts";
import { BOUNDLESS_DISK, type DiskSpace } from "../../../storage/disk/disk-space.ts";
import { pruneStages } from "./prune-stages.ts";

/** First bytes of every file; the number changes with what follows it. */
const MAGIC = Buffer.from("PLBSTAGE1");
const DIGEST_BYTES = 32;
const HEADER_BYTES = MAGIC.length + DIGEST_BYTES;
const PART_NAME = /\.stage\.[0-9a-f-]+\.part$/;
/**
 * A part that was not written to for so long is left over from a process that was killed, ms. Less may delete what
 * a slow disk still writes, more keeps rubbish longer.
 */
const STALE_PART_MS = HOUR_MS;

/** A finished stage and the name by which later stages refer to it. */
export interface FinishedStage<T> {
  readonly key: string;
  readonly value: T;
}

/**
 * Finished work of surveys, as files named by stage and by a hash of everything that went in: images by
 * content, earlier stages by their keys, options. So a killed job goes on where it was, a second survey of
 * known images finds them done, and two jobs that need the same stage compute it once.
 */
export interface StageStore {
  /** Admits what the work of stages writes beside them. */
  readonly disk: DiskSpace;
  /**
   * The value of a stage: read when it is there, else computed and, where there is room, stored (durably)
   * first.
   * @param version of the algorithm: another one has other results
   * @param inputs what went in, in a fixed order
   * @param work yields plain objects and typed arrays, not on shared memory
   */
  once<T>(
    stage: { readonly name: string; readonly version: number },
    inputs: readonly string[],
    work: () => Promise<T>,
  ): Promise<FinishedStage<T>>;
  /** Whether the stage's value is there, so that its work would be skipped. */
  has(
    stage: { readonly name: string; readonly version: number },
    inputs: readonly string[],
  ): Promise<boolean>;
  /** Deletes what was not used for longest until at most `maxBytes` are left; yields the bytes freed. */
  prune(maxBytes: number): Promise<number>;
}

/**
 * Opens, and makes where needed, the folder of a store. Several processes may share it. A stage that `disk`
 * has no room for is not kept: it is computed again when it is needed again.
 */
export async function openStageStore(
  dir: string,
  disk: DiskSpace = BOUNDLESS_DISK,
): Promise<StageStore> {
  await mkdir(dir, { recursive: true });
  await removeStaleParts(dir);
  const running = new Map<string, Promise<FinishedStage<unknown>>>();

  const pathOf = (name: string, key: string) => join(dir, `${name}-${key}.stage`);

  async function run<T>(path: string, key: string, work: () => Promise<T>) {
    const known = await read<T>(path);
    if (known !== undefined) return { key, value: known.value };
    const value = await work();
    // Not the process's id: in containers that share the folder it is 1 everywhere.
    await keep(path, `${path}.${randomBytes(6).toString("hex")}.part`, value);
    return { key, value };
  }

  async function keep(path: string, part: string, value: unknown): Promise<void> {
    const body = serialize(value);
    try {
      const grant = await disk.reserve("stage_cache", HEADER_BYTES + body.length);
      await write(dir, path, part, body).finally(() => grant.release());
    } catch (error) {
      if (!(diskError(error) instanceof StorageShortage)) throw error;
    }
  }

  return {
    disk,

    async once<T>(
      { name, version }: { readonly name: string; readonly version: number },
      inputs: readonly string[],
      work: () => Promise<T>,
    ) {
      const key = keyOf(name, version, inputs);
      const path = pathOf(name, key);
      const started =
        (running.get(path) as Promise<FinishedStage<T>> | undefined) ??
        run(path, key, work).finally(() => running.delete(path));
      running.set(path, started);
      return started;
    },

    async has({ name, version }, inputs) {
      return (await read(pathOf(name, keyOf(name, version, inputs)))) !== undefined;
    },

    prune: (maxBytes) => pruneStages(dir, { maxBytes }),
  };
}

/** Hash over stage, version and inputs, each with its length so that none runs into the next. */
function keyOf(name: string, version: number, inputs: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of [name, String(version), ...inputs]) {
    hash.update(`${Buffer.byteLength(part)}:`).update(part);
  }
  return hash.digest("hex");
}

/** A file that is cut or damaged counts as not there. */
async function read<T>(path: string): Promise<{ readonly value: T } | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (bytes === undefined || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) return undefined;
  const body = bytes.subarray(HEADER_BYTES);
  if (!digest(body).equals(bytes.subarray(MAGIC.length, HEADER_BYTES))) return undefined;
  const now = new Date();
  // Marks it as in use for `prune`; the file may be gone, or belong to somebody else.
  await utimes(path, now, now).catch(() => undefined);
  return { value: deserialize(body) as T };
}

async function write(dir: string, path: string, part: string, body: Buffer): Promise<void> {
  const file = await open(part, "w");
  try {
    await file.writev([MAGIC, digest(body), body]);
    await file.datasync();
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(part, path);
  await syncFolder(dir);
}

async function removeStaleParts(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!PART_NAME.test(name)) continue;
    const stats = await statOf(join(dir, name));
    if (stats !== undefined && Date.now() - stats.mtimeMs > STALE_PART_MS) {
      await rm(join(dir, name), { force: true });
    }
  }
}

async function statOf(path: string) {
  return stat(path).catch(() => undefined);
}

function digest(body: Uint8Array): Buffer {
  return createHash("sha256").update(body).digest();
}
