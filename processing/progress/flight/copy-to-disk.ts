import { createHash } from "node:crypto";
import { access, mkdir } from "node:fs/promises";
import { extname, join } from "node:path";
import type { DiskSpace } from "../../../storage/disk/disk-space.ts";
import { writeMetered } from "../../../storage/disk/write-metered.ts";
import type { FileStore } from "../../../storage/ports/files.ts";

/** A file of the store on this machine. */
export interface DiskCopy {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Copies a file of the store into a folder, once: tasks read files of this machine. `undefined`: it is not
 * stored (any more).
 * @throws what `signal` fires with; StorageShortage; DomainError `STORE_UNAVAILABLE`
 */
export async function copyToDisk(
  files: FileStore,
  key: string,
  dir: string,
  disk: DiskSpace,
  signal: AbortSignal,
): Promise<DiskCopy | undefined> {
  const stored = await files.stat(key);
  if (stored === undefined) return undefined;
  await mkdir(dir, { recursive: true });
  const name = createHash("sha256").update(key).digest("hex").slice(0, 24);
  const path = join(dir, `${name}${extname(key)}`);
  const isHere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isHere) {
    const opened = await files.get(key);
    if (opened === undefined) return undefined;
    await writeMetered(opened.body, path, { disk, writer: "product", signal });
  }
  return { path, bytes: stored.bytes };
}
