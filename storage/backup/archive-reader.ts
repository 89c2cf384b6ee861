import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Transform, type Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { type Extract, extract } from "tar-stream";
import { DomainError } from "../../domain/errors.ts";
import { decodeManifest, MANIFEST, type Manifest, type ManifestFile } from "./manifest.ts";

/**
 * Largest manifest that is read, bytes: some 400,000 files. It is held in memory; a smaller bound would
 * refuse large backups.
 */
const MANIFEST_BYTES = 64 * 1024 ** 2;
/** Paths that lead out of the folder are refused. */
const SAFE_PATH = /^(?!.*(^|\/)\.\.?(\/|$))[^/\\\0]+(\/[^/\\\0]+)*$/;

/** A file of an archive as it is read, with its header. */
type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

/** Takes what an archive holds; paths are relative, below the data folder. */
export interface ArchiveTarget {
  folder(path: string): Promise<void>;
  /** Where a file's content goes. Its checksum is known only at the end of the archive. */
  file(path: string): Promise<Writable>;
}

/**
 * Reads an archive once and yields its manifest, after every checksum in it was found right.
 * @throws DomainError `BACKUP_INVALID` for an archive that is damaged or cut off, `SCHEMA_TOO_NEW`.
 */
export async function readArchive(archive: string, target: ArchiveTarget): Promise<Manifest> {
  const unpacking = extract();
  const found: ManifestFile[] = [];
  let manifest: Manifest | undefined;

  async function take(entry: Entry): Promise<void> {
    const { name, type, size = 0 } = entry.header;
    const path = name.replace(/\/$/, "");
    if (!SAFE_PATH.test(path)) throw invalid(`the archive names a path that is not ours: ${name}`);
    if (manifest !== undefined) throw invalid("the archive goes on behind its end");
    if (path === MANIFEST) {
      if (size > MANIFEST_BYTES) throw invalid("the archive's manifest is too large");
      manifest = decodeManifest((await buffer(entry)).toString("utf8"));
    } else if (type === "directory") {
      entry.resume();
      await target.folder(path);
    } else if (type === "file") {
      const hash = createHash("sha256");
      const hashing = new Transform({
        transform(chunk: Uint8Array, _encoding, done) {
          hash.update(chunk);
          done(null, chunk);
        },
      });
      await pipeline(entry, hashing, await target.file(path));
      found.push({ path, bytes: size, sha256: hash.digest("hex") });
    } else {
      throw invalid(`the archive holds a ${type}: ${name}`);
    }
  }

  async function takeAll(): Promise<void> {
    for await (const entry of unpacking) await take(entry);
  }

  try {
    await Promise.all([pipeline(createReadStream(archive), unpacking), takeAll()]);
  } catch (error) {
    throw isClear(error) ? error : invalid(`it cannot be read: ${(error as Error).message}`);
  }
  if (manifest === undefined) throw invalid("it was cut off: it has no manifest");
  compare(found, manifest.files);
  return manifest;
}

/** An error of our own, or of the file system: a full disk, no such archive. */
function isClear(error: unknown): boolean {
  return error instanceof DomainError || (error as NodeJS.ErrnoException).syscall !== undefined;
}

function compare(found: readonly ManifestFile[], promised: readonly ManifestFile[]): void {
  const byPath = new Map(found.map((file) => [file.path, file]));
  for (const { path, bytes, sha256 } of promised) {
    const file = byPath.get(path);
    if (file === undefined) throw invalid(`it lacks ${path}`);
    if (file.bytes !== bytes || file.sha256 !== sha256) {
      throw invalid(`it is damaged: ${path} has not the checksum that it was written with`);
    }
  }
  if (found.length !== promised.length) throw invalid("it holds more than its manifest says");
}

const invalid = (reason: string): DomainError =>
  new DomainError("BACKUP_INVALID", `this is not a whole archive: ${reason}`);
