import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { Transform, type Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { DomainError } from "../../domain/errors.ts";
import { type ImageKind, imageKindOf, MAGIC_BYTES } from "./image-kind.ts";

/** An image file of this machine. */
export interface KeptImage {
  readonly path: string;
  readonly sha256: string;
  readonly kind: ImageKind;
  readonly bytes: number;
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

/** Names of files that are being written; a process that dies leaves them to the next `sweep`. */
const INCOMING = "incoming-";

/** Opens the folder, and makes it if need be. */
export async function openImageFolder(dir: string): Promise<ImageFolder> {
  await mkdir(dir, { recursive: true });
  const pathOf = (sha256: string, kind: ImageKind): string => join(dir, `${sha256}.${kind}`);

  return {
    async keep(fill) {
      const temporary = join(dir, `${INCOMING}${randomBytes(12).toString("hex")}`);
      const witness = createWitness();
      const file = createWriteStream(temporary, { flags: "wx", mode: 0o600 });
      witness.stream.pipe(file);
      witness.stream.once("error", (error) => file.destroy(error));
      file.once("error", (error) => witness.stream.destroy(error));
      const written = finished(file);
      // Awaited below; `fill` may throw first.
      written.catch(() => undefined);
      try {
        await fill(witness.stream);
        witness.stream.end();
        await written;
        const { kind, sha256, bytes } = witness.result();
        const path = pathOf(sha256, kind);
        await rename(temporary, path);
        return { path, sha256, kind, bytes };
      } catch (error) {
        witness.stream.destroy();
        file.destroy();
        await finished(file).catch(() => undefined);
        await unlink(temporary).catch(() => undefined);
        throw error;
      }
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

/** Sees what passes: its hash, its size, its first bytes. */
function createWitness() {
  const hash = createHash("sha256");
  const head = Buffer.alloc(MAGIC_BYTES);
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (bytes < head.length) chunk.copy(head, bytes);
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return {
    stream,
    result() {
      const kind = imageKindOf(head.subarray(0, Math.min(bytes, head.length)));
      if (kind === undefined) {
        throw new DomainError("IMAGE_REFUSED", "is no JPEG, PNG, TIFF or WebP");
      }
      return { kind, bytes, sha256: hash.digest("hex") };
    },
  };
}
