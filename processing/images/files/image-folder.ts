import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { HOUR_MS } from "../../../domain/time.ts";
import { BOUNDLESS_DISK, type DiskSpace } from "../../../storage/disk/disk-space.ts";
import type { ImageKind } from "./image-kind.ts";
import { type ReceivedImage, receiveImage } from "./receive-image.ts";

/** An image file of this machine. */
export interface KeptImage extends ReceivedImage {
  readonly path: string;
}

/** A folder of image files by content: each is there once, under the hash of its bytes. */
export interface ImageFolder {
  /**
   * Keeps what `fill` writes. Nothing stays of it when `fill` throws.
   * @throws DomainError `IMAGE_REFUSED` when it is not an image by its first bytes; StorageShortage; what
   *   `fill` throws.
   */
  keep(fill: (sink: Writable) => Promise<void>): Promise<KeptImage>;
  /** The file of that content, if it is here. */
  find(sha256: string, kind: ImageKind): Promise<KeptImage | undefined>;
  /**
   * Deletes images that were neither kept nor found since `beforeMs`, least recently used first, until
   * `bytes` are freed; returns the bytes freed.
   */
  evict(bytes: number, beforeMs: number): Promise<number>;
  /** Deletes images that were neither kept nor found since `beforeMs`, ms since the Unix epoch. */
  sweep(beforeMs: number): Promise<void>;
}

/** Names of files that are being written; a process that dies leaves them to the next start. */
const INCOMING = "incoming-";
/** Nobody writes to one for so long, ms: a silent server is given up far sooner. */
const STALE_INCOMING_MS = HOUR_MS;

/** Opens the folder, and makes it if need be; `disk` admits what is kept. */
export async function openImageFolder(
  dir: string,
  disk: DiskSpace = BOUNDLESS_DISK,
): Promise<ImageFolder> {
  await mkdir(dir, { recursive: true });
  for (const { name, path, usedMs } of await filesOf(dir)) {
    const isStale = name.startsWith(INCOMING) && usedMs < Date.now() - STALE_INCOMING_MS;
    if (isStale) await rm(path, { force: true });
  }
  const pathOf = (sha256: string, kind: ImageKind): string => join(dir, `${sha256}.${kind}`);

  return {
    async keep(fill) {
      const incoming = join(dir, `${INCOMING}${randomBytes(12).toString("hex")}`);
      const sink = { path: incoming, disk, writer: "image_cache" } as const;
      const received = await receiveImage(sink, fill);
      const path = pathOf(received.sha256, received.kind);
      await rename(incoming, path);
      return { ...received, path };
    },

    async find(sha256, kind) {
      const path = pathOf(sha256, kind);
      const now = new Date();
      // Also says that it is still in use.
      const isHere = await utimes(path, now, now).then(
        () => true,
        () => false,
      );
      return isHere ? { path, sha256, kind, bytes: (await stat(path)).size } : undefined;
    },

    async evict(bytes, beforeMs) {
      const unused = (await filesOf(dir)).filter(({ usedMs }) => usedMs < beforeMs);
      let freed = 0;
      for (const file of unused.toSorted((a, b) => a.usedMs - b.usedMs)) {
        if (freed >= bytes) break;
        await rm(file.path, { force: true });
        freed += file.bytes;
      }
      return freed;
    },

    async sweep(beforeMs) {
      for (const { path, usedMs } of await filesOf(dir)) {
        if (usedMs < beforeMs) await rm(path, { force: true });
      }
    },
  };
}

async function filesOf(dir: string) {
  const files = await Promise.all(
    (await readdir(dir)).map(async (name) => {
      const path = join(dir, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) return [];
      return [{ name, path, bytes: found.size, usedMs: found.mtimeMs }];
    }),
  );
  return files.flat();
}
