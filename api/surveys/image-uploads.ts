import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DomainError } from "../../domain/errors.ts";
import type { ProjectId } from "../../domain/ids.ts";
import { imageKey } from "../../processing/images/files/image-key.ts";
import { MAX_IMAGE_BYTES, RESTORE_AFTER_MS } from "../../processing/images/files/image-limits.ts";
import { receiveImage } from "../../processing/images/files/receive-image.ts";
import { BOUNDLESS_DISK, type DiskSpace } from "../../storage/disk/disk-space.ts";
import type { Files } from "../../storage/open.ts";

/** An image that is stored, under the hash of its content. */
export interface StoredImage {
  readonly sha256: string;
  readonly bytes: number;
  /** Address that lets its holder read it until `expiresAtMs`. */
  readonly url: string;
}

/** Takes images from clients into the file store. */
export interface ImageUploads {
  /**
   * Refuses a request of so many bytes before it is read. What passes may still meet a full disk.
   * @throws StorageShortage
   */
  requireRoom(bytes: number): Promise<void>;
  /**
   * Stores one image. The same content again is the same file.
   * @throws DomainError `IMAGE_REFUSED` in words that follow the image's name; StorageShortage, and then
   * nothing of it stays; `STORE_UNAVAILABLE`.
   */
  store(
    content: Readable & { readonly truncated?: boolean },
    about: UploadAbout,
  ): Promise<StoredImage>;
}

/** What is to be known of an image beside its bytes. */
export interface UploadAbout {
  /** How long its address leads to it, ms since the Unix epoch. */
  readonly expiresAtMs: number;
  /** Whose quota it counts for; `undefined`: nobody's. */
  readonly projectId: ProjectId | undefined;
}

/** The disk that uploads pass through. */
export interface UploadDisk {
  /** Absent: nothing is refused. */
  readonly disk?: DiskSpace;
  /** Whether the file store is on it too. Else only one image of a request is there at a time. */
  readonly isStoredHere?: boolean;
}

/**
 * Opens uploads that pass through `dir`, which is emptied: an image gets its name from its content, so
 * it has to be here before it can be stored.
 */
export async function openImageUploads(
  dir: string,
  files: Pick<Files, "store" | "sign">,
  { disk = BOUNDLESS_DISK, isStoredHere = true }: UploadDisk = {},
): Promise<ImageUploads> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  return {
    async requireRoom(bytes) {
      const here = isStoredHere ? bytes : Math.min(bytes, MAX_IMAGE_BYTES);
      (await disk.reserve("upload", here)).release();
    },
    async store(content, { expiresAtMs, projectId }) {
      const path = join(dir, randomBytes(12).toString("hex"));
      const image = await receiveImage({ path, disk, writer: "upload" }, async (sink) => {
        await pipeline(content, sink, { end: false });
        // A stream that is cut at the limit ends as if that were all.
        if (content.truncated === true) {
          throw new DomainError(
            "IMAGE_REFUSED",
            `is larger than ${MAX_IMAGE_BYTES / 1024 ** 2} MiB`,
          );
        }
      });
      try {
        const key = imageKey(image);
        const known = await files.store.stat(key);
        const isFresh =
          known?.bytes === image.bytes && known.modifiedAtMs > Date.now() - RESTORE_AFTER_MS;
        const owner = projectId === undefined ? {} : { projectId };
        if (!isFresh) await files.store.put(key, createReadStream(path), owner);
        return { sha256: image.sha256, bytes: image.bytes, url: files.sign(key, expiresAtMs) };
      } finally {
        await unlink(path);
      }
    },
  };
}
