import { createHash } from "node:crypto";
import fs, { cpSync, readdirSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

/** Operations after which the folder is another one for whoever opens it next. */
const PROMISED = ["rename", "rm", "mkdir", "writeFile", "link", "copyFile", "cp"] as const;
const SYNC = ["renameSync", "rmSync", "writeFileSync", "appendFileSync"] as const;

type Operation = (...inputs: unknown[]) => unknown;

/**
 * Copies of a data folder as `kill -9` would leave it, one behind each operation that changed its files: what a process
 * has written stays when it dies. Claims of locks are left out, because their owner is dead in the copy.
 */
export interface CrashImages {
  /** Folders of the copies, in order. */
  readonly paths: readonly string[];
  /** What was done last before each copy. */
  readonly moments: readonly string[];
  /** Copies the folder, unless it is as it was, for a moment that is not an operation of Node. */
  take(moment: string): void;
  /** Ends the watch; the copies stay. */
  stop(): void;
}

/** Claims of locks, and copies that every check begins by removing. */
const IGNORED = /\/(lock\/.+|check-staging)(\/|$)/;

/** A digest of the content of every file. */
function digestOf(dir: string): string {
  const hash = createHash("sha256");
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.filter((one) => !IGNORED.test(one)).sort()) {
    hash.update(`${path}\0`).update(readFileSync(path));
  }
  return hash.digest("hex");
}

export function watchCrashes(dataDir: string, imagesDir: string): CrashImages {
  const paths: string[] = [];
  const moments: string[] = [];
  const seen = new Set<string>();
  let isTaking = false;

  function take(moment: string): void {
    const digest = digestOf(dataDir);
    if (seen.has(digest)) return;
    seen.add(digest);
    isTaking = true;
    const path = join(imagesDir, String(paths.length));
    cpSync(dataDir, path, { recursive: true, filter: (from) => !IGNORED.test(from) });
    isTaking = false;
    paths.push(path);
    moments.push(moment);
  }

  function isSeen(inputs: readonly unknown[]): boolean {
    const [path] = inputs;
    return !isTaking && typeof path === "string" && path.startsWith(dataDir) && !IGNORED.test(path);
  }
  const momentOf = (name: string, inputs: readonly unknown[]): string =>
    `${name} ${inputs.filter((input) => typeof input === "string" && input.startsWith(dataDir)).join(" ")}`.replaceAll(
      `${dataDir}/`,
      "",
    );

  const restore: (() => void)[] = [];
  function replace(holder: object, name: string, around: (own: Operation) => Operation): void {
    const own = Reflect.get(holder, name) as Operation;
    Reflect.set(holder, name, around(own));
    restore.push(() => Reflect.set(holder, name, own));
  }
  for (const name of PROMISED) {
    replace(fs.promises, name, (own) => async (...inputs) => {
      const result = await own(...inputs);
      if (isSeen(inputs)) take(momentOf(name, inputs));
      return result;
    });
  }
  for (const name of SYNC) {
    replace(fs, name, (own) => (...inputs) => {
      const result = own(...inputs);
      if (isSeen(inputs)) take(momentOf(name, inputs));
      return result;
    });
  }
  syncBuiltinESMExports();
  return {
    paths,
    moments,
    take,
    stop() {
      for (const one of restore) one();
      syncBuiltinESMExports();
    },
  };
}
