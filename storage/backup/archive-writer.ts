import { createHash } from "node:crypto";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import { encodeManifest, MANIFEST, type Manifest, type ManifestFile } from "./manifest.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** A tar archive of files, with a manifest of their checksums as its end. */
export class ArchiveWriter {
  /** The archive; it is written no faster than it is read. */
  readonly stream: Pack = pack();
  readonly #files: ManifestFile[] = [];

  /** Adds the first `bytes` of a file, or all of it as it is now. */
  async addFile(path: string, source: string, bytes?: number): Promise<void> {
    const handle = await open(source, "r");
    try {
      const size = bytes ?? (await handle.stat()).size;
      const hash = createHash("sha256");
      const entry = this.stream.entry({ name: path, size, mode: FILE_MODE });
      const hashing = new Transform({
        transform(chunk: Uint8Array, _encoding, done) {
          hash.update(chunk);
          done(null, chunk);
        },
      });
      if (size === 0) {
        entry.end(new Uint8Array());
      } else {
        const content = handle.createReadStream({ start: 0, end: size - 1, autoClose: false });
        await pipeline(content, hashing, entry);
      }
      this.#files.push({ path, bytes: size, sha256: hash.digest("hex") });
    } finally {
      await handle.close();
    }
  }

  /** Adds a small file that exists nowhere else. */
  addText(path: string, text: string): void {
    const content = Buffer.from(text);
    const sha256 = createHash("sha256").update(content).digest("hex");
    this.stream.entry({ name: path, mode: FILE_MODE }, content);
    this.#files.push({ path, bytes: content.length, sha256 });
  }

  /** Adds a folder with all that is in it; an empty one too, which a database cluster has. */
  async addFolder(path: string, source: string): Promise<void> {
    this.stream.entry({ name: path, type: "directory", mode: FOLDER_MODE });
    const entries = await readdir(source, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = `${path}/${entry.name}`;
      if (entry.isDirectory()) await this.addFolder(name, join(source, entry.name));
      else if (entry.isFile()) await this.addFile(name, join(source, entry.name));
    }
  }

  /** Adds the manifest and ends the archive. */
  finish(manifest: Omit<Manifest, "files">): void {
    const content = encodeManifest({ ...manifest, files: this.#files });
    this.stream.entry({ name: MANIFEST, mode: FILE_MODE }, content);
    this.stream.finalize();
  }
}
