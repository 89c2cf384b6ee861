import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { unlink } from "node:fs/promises";
import { pipeline, Transform, type Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { DomainError } from "../../../domain/errors.ts";
import { diskError } from "../../../storage/disk/disk-error.ts";
import type { DiskSpace, DiskWriter } from "../../../storage/disk/disk-space.ts";
import { meteredStream } from "../../../storage/disk/metered-stream.ts";
import { type ImageKind, imageKindOf, MAGIC_BYTES } from "./image-kind.ts";

/** What was seen of an image while it was written. */
export interface ReceivedImage {
  readonly sha256: string;
  readonly kind: ImageKind;
  readonly bytes: number;
}

/** Where a received image is written, and who admits it. */
export interface ImageSink {
  readonly path: string;
  readonly disk: DiskSpace;
  readonly writer: DiskWriter;
}

/**
 * Writes what `fill` gives to a new file, durably. Nothing stays of it when this throws.
 * @throws DomainError `IMAGE_REFUSED` when it is not an image by its first bytes; StorageShortage; what
 *   `fill` throws.
 */
export async function receiveImage(
  { path, disk, writer }: ImageSink,
  fill: (sink: Writable) => Promise<void>,
): Promise<ReceivedImage> {
  const witness = createWitness();
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  const metered = meteredStream(disk, writer);
  let failure: unknown;
  const noteFailure = (error: unknown) => {
    failure ??= diskError(error);
  };
  metered.once("error", noteFailure);
  file.once("error", noteFailure);
  // Forwards an error of any part to both ends, where `fill` may meet it under another name.
  pipeline(witness.stream, metered, file, () => undefined);
  const written = finished(file);
  // Awaited below; `fill` may throw first.
  written.catch(() => undefined);
  try {
    await fill(witness.stream);
    witness.stream.end();
    await written;
    return witness.result();
  } catch (error) {
    const cause = failure ?? error;
    witness.stream.destroy();
    file.destroy();
    await written.catch(() => undefined);
    await unlink(path).catch(() => undefined);
    throw cause;
  }
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
    result(): ReceivedImage {
      const kind = imageKindOf(head.subarray(0, Math.min(bytes, head.length)));
      if (kind === undefined) {
        throw new DomainError("IMAGE_REFUSED", "is not a JPEG, PNG, TIFF or WebP image");
      }
      return { kind, bytes, sha256: hash.digest("hex") };
    },
  };
}
