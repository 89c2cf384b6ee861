import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { tagHash } from "../representations/entity-tag.ts";

/** The console's files, as the build left them. */
export interface BuiltConsole {
  readonly dir: string;
  /** The page that every address of the console answers with. */
  readonly index: string;
  /** Entity tag of the page. */
  readonly tag: string;
  /** All others but the compressed copies beside them, as `assets/index-Bq3xY7Qk.js`. */
  readonly files: readonly string[];
}

const INDEX = "index.html";
/** Names that are the same in an address as on the disk; a build makes no others. */
const NAME = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** Copies of other files for browsers that take them. */
const COMPRESSED = /\.(?:br|gz)$/;

/** Reads what the build left in a folder; `undefined`: it has no console. */
export async function readBuiltConsole(dir: string): Promise<BuiltConsole | undefined> {
  let index: string;
  try {
    index = await readFile(join(dir, INDEX), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && isAbsence(error.code)) return undefined;
    throw error;
  }
  // Only files: a link could lead out of the folder.
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((name) => NAME.test(name) && name !== INDEX && !COMPRESSED.test(name));
  return { dir, index, tag: `"${tagHash(index)}"`, files: files.sort() };
}

const isAbsence = (code: unknown): boolean => code === "ENOENT" || code === "ENOTDIR";
