import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, constants } from "node:zlib";
import { pack } from "tar-stream";
import type { ClusterEntry } from "../storage/records/pglite/prepared.ts";

/** What the prepared cluster was made from, and what came of it. */
export interface PreparedManifest {
  /** Version of @electric-sql/pglite. */
  readonly pglite: string;
  /** SHA-256 of each migration that it has gone through, by file name, in order. */
  readonly migrations: Readonly<Record<string, string>>;
  /** SHA-256 over paths and contents of the cluster. */
  readonly content: string;
}

const root = new URL("../", import.meta.url);
export const MIGRATIONS = new URL("storage/records/migrations/", root);
export const MANIFEST = new URL("storage/records/pglite/prepared/cluster.json", root);

export function readManifest(): PreparedManifest {
  return JSON.parse(readFileSync(MANIFEST, "utf8")) as PreparedManifest;
}

/** Version of PGlite that is installed. */
export function pgliteVersion(): string {
  const text = readFileSync(
    new URL("node_modules/@electric-sql/pglite/package.json", root),
    "utf8",
  );
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** SHA-256 of every migration by file name, in order. */
export function migrationHashes(): Readonly<Record<string, string>> {
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  return Object.fromEntries(
    names.sort().map((name) => [name, sha256(readFileSync(new URL(name, MIGRATIONS)))]),
  );
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A folder as the archive holds it, sorted by path, a folder before what is in it. */
export function readFolder(dir: string, below = ""): readonly ClusterEntry[] {
  const entries = readdirSync(join(dir, below), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry): readonly ClusterEntry[] => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return [{ path, content: undefined }, ...readFolder(dir, path)];
    return [{ path, content: readFileSync(join(dir, path)) }];
  });
}

/** The same for the same paths and contents. */
export function contentHash(entries: readonly ClusterEntry[]): string {
  const hash = createHash("sha256");
  for (const { path, content } of entries) {
    hash.update(`${path}\0${content?.length ?? "folder"}\0`);
    if (content !== undefined) hash.update(content);
  }
  return hash.digest("hex");
}

/** The archive. Its bytes may differ between versions of Node, whose Brotli differs; its content does not. */
export async function packCluster(entries: readonly ClusterEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { path: name, content } of entries) {
    const mtime = new Date(0);
    if (content === undefined) tar.entry({ name: `${name}/`, type: "directory", mtime });
    else tar.entry({ name, mtime }, content);
  }
  tar.finalize();
  return brotliCompressSync(await buffer(tar), {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      // 16 MiB: the whole of the tables, 11 MB. A smaller window would make the archive larger.
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
}
