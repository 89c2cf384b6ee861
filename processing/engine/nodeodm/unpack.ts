import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { DomainError } from "../../../domain/errors.ts";
import { diskError } from "../../../storage/disk/disk-error.ts";
import type { DiskSpace } from "../../../storage/disk/disk-space.ts";
import { meteredStream } from "../../../storage/disk/metered-stream.ts";

const openZip = promisify<string, yauzl.Options, ZipFile>(yauzl.open);

/** A file to take from the archive, and its destination. */
export interface WantedFile {
  /** Path inside the archive, as `odm_dem/dsm.tif`. */
  readonly entry: string;
  /** Name below the target folder. */
  readonly as: string;
  readonly maxBytes: number;
}

/**
 * Takes the given files out of a ZIP archive and returns which of them were there. Nothing else is unpacked,
 * and paths of the archive are never used as paths on this machine.
 * @throws DomainError `ENGINE_FAILED` for an archive that is damaged, or a file larger than allowed;
 * StorageShortage.
 */
export async function unpack(
  archive: string,
  dir: string,
  wanted: readonly WantedFile[],
  disk: DiskSpace,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const zip = await openZip(archive, { lazyEntries: true, autoClose: false }).catch(failed);
  try {
    await eachEntry(zip, async (entry) => {
      signal.throwIfAborted();
      const file = wanted.find(({ entry: path }) => path === entry.fileName);
      if (file === undefined) return;
      if (entry.uncompressedSize > file.maxBytes) {
        throw new DomainError(
          "ENGINE_FAILED",
          `${file.entry} of the NodeODM has ${entry.uncompressedSize} bytes; ${file.maxBytes} are allowed`,
        );
      }
      const target = join(dir, file.as);
      await mkdir(dirname(target), { recursive: true });
      try {
        // yauzl itself fails on content that is longer than the entry says.
        const metered = meteredStream(disk, "product");
        const file = createWriteStream(target);
        await pipeline(await readEntry(zip, entry), metered, file, { signal });
      } catch (error) {
        await rm(target, { force: true });
        throw error;
      }
      found.add(file.entry);
    });
  } catch (thrown) {
    signal.throwIfAborted();
    const error = diskError(thrown);
    if (error instanceof DomainError) throw error;
    failed(error);
  } finally {
    zip.close();
  }
  return found;
}

function readEntry(zip: ZipFile, entry: Entry): Promise<NodeJS.ReadableStream> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error === null) resolve(stream);
      else reject(error);
    });
  });
}

/** Visits every entry, one after the other. */
function eachEntry(zip: ZipFile, visit: (entry: Entry) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.on("entry", (entry: Entry) => {
      visit(entry).then(() => zip.readEntry(), reject);
    });
    zip.once("end", resolve);
    zip.once("error", reject);
    zip.readEntry();
  });
}

function failed(error: unknown): never {
  throw new DomainError("ENGINE_FAILED", "the archive of the NodeODM is damaged", { cause: error });
}
