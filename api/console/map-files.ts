import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** A base map in the folder of maps. */
export interface MapFile {
  readonly name: string;
  readonly bytes: number;
}

/** One file of the folder itself, whose name is the same in an address. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*\.pmtiles$/;

/** The base maps of a folder by name; none where there is no such folder. */
export async function listMapFiles(dir: string): Promise<readonly MapFile[]> {
  const names = await readdir(dir).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => NAME.test(name)).map((name) => findMapFile(dir, name)),
  );
  return found.filter((file) => file !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The base map of that name, if there is one. */
export async function findMapFile(dir: string, name: string): Promise<MapFile | undefined> {
  if (!NAME.test(name)) return undefined;
  const found = await stat(join(dir, name)).catch(() => undefined);
  return found?.isFile() === true ? { name, bytes: found.size } : undefined;
}
