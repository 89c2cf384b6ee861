import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SIMULATORS = fileURLToPath(new URL("../../simulators", import.meta.url));

/** One kind of simulated site that is rendered once and kept on this machine's disk. */
export interface RenderedKind<T> {
  /** Name of its folder below the one for temporary files, which may be deleted at any time. */
  readonly cache: string;
  /** Folders of `simulators` whose sources decide what is rendered; a changed one makes new sets. */
  readonly sources: readonly string[];
  /** Opens a set that is whole; `truth` is the text of its truth.json, which is written last. */
  readonly open: (folder: string, truth: string) => T;
}

/**
 * Gives the set of these options, rendering it by `render` only if no run before did. Safe in parallel
 * processes. Read only: the files are shared.
 */
export async function renderedSet<T>(
  kind: RenderedKind<T>,
  options: unknown,
  render: (folder: string) => Promise<unknown>,
): Promise<T> {
  const cache = join(tmpdir(), kind.cache);
  const folder = join(cache, await keyOf(JSON.stringify(options), kind.sources));
  const found = await load(kind, folder);
  if (found !== undefined) return found;
  const making = `${folder}.${randomBytes(6).toString("hex")}`;
  await mkdir(cache, { recursive: true });
  try {
    await render(making);
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    // Another process was faster: its set is the same to the byte.
    const other = await load(kind, folder);
    if (other === undefined) throw error;
  }
  const made = await load(kind, folder);
  if (made === undefined) throw new Error(`the set ${folder} is not whole`);
  return made;
}

async function load<T>(kind: RenderedKind<T>, folder: string): Promise<T | undefined> {
  const truth = await readFile(join(folder, "truth.json"), "utf8").catch(() => undefined);
  return truth === undefined ? undefined : kind.open(folder, truth);
}

async function keyOf(options: string, folders: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(options);
  const listed = await Promise.all(
    [...folders, "randomness"].map(async (folder) =>
      (await readdir(join(SIMULATORS, folder), { recursive: true }))
        .filter((name) => name.endsWith(".ts"))
        .map((name) => join(folder, name)),
    ),
  );
  for (const source of listed.flat().sort()) {
    hash.update(source).update(await readFile(join(SIMULATORS, source)));
  }
  return hash.digest("hex").slice(0, 24);
}
