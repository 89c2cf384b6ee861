import { createWriteStream } from "node:fs";
import { unlink } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { diskError } from "./disk-error.ts";
import type { DiskSpace, DiskWriter } from "./disk-space.ts";
import { meteredStream } from "./metered-stream.ts";

/**
 * Writes a stream to a file while the disk has room for it. Nothing stays of it when this throws.
 * @throws StorageShortage; what `signal` fires with; what `content` fails with.
 */
export async function writeMetered(
  content: Readable,
  path: string,
  options: {
    readonly disk: DiskSpace;
    readonly writer: DiskWriter;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { disk, writer, signal } = options;
  try {
    await pipeline(content, meteredStream(disk, writer), createWriteStream(path), { signal });
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw diskError(error);
  }
}
