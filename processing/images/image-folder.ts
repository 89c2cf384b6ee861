import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
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
   * @throws DomainError `IMAGE_REFUSED` when it is no image by its first bytes; what `fill` throws.
   */
  keep(fill: (sink: Writable) => Promise<void>): Promise<KeptImage>;
  /** The file of that content, if it is here. */
  find(sha256: string, kind: ImageKind): Promise<KeptImage | undefined>;
  /** Deletes what nobody kept or found since `beforeMs`, ms since the Unix epoch. */
  sweep(beforeMs: number): Promise<void>;
}

/** Names of files that are being written; a process that dies leaves them to a later `sweep`. */
const INCOMING = "incoming-";

/** Opens the folder, and makes it if need be. */
export async function openImageFolder(dir: string): Promise<ImageFolder> {
  await mkdir(dir, { recursive: true });
  const pathOf = (sha256: string, kind: ImageKind): string => join(dir, `${sha256}.${kind}`);

  return {
    async keep(fill) {
      const incoming = join(dir, `${INCOMING}${randomBytes(12).toString("hex")}`);
      const received = await receiveImage(incoming, fill);
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

    async sweep(beforeMs) {
      for (const name of await readdir(dir)) {
        const path = join(dir, name);
        const found = await stat(path).catch(() => undefined);
        if (found !== undefined && found.mtimeMs < beforeMs) await rm(path, { force: true });
      }
    },
  };
}
