import { existsSync } from "node:fs";
import { copyFile, mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "../data-folder/sync-folder.ts";

/** Takes damaged files out of the way of a repair. Nothing is ever deleted. */
export interface SetAsideFolder {
  /** Moves a file or folder, if it is there. Paths are below the data folder. */
  move(path: string): Promise<void>;
  /**
   * Copies a file, if it is there, and leaves it in its place, where a new one is renamed over it: a process
   * that is killed leaves the old file or the new one.
   */
  keep(path: string): Promise<void>;
  /** Everything that was moved or kept, as it lies below the data folder now. */
  readonly moved: readonly string[];
}

/** Files go to `DATA_DIR/damaged/TIME/`, under the path that they had. */
export function openSetAside(dataDir: string, nowMs: number): SetAsideFolder {
  const time = new Date(nowMs).toISOString().replaceAll(":", "-");
  const moved: string[] = [];
  let folder: string | undefined;

  /** Makes the folder for a file; yields the file's new path, below the data folder. */
  async function targetOf(path: string): Promise<string> {
    folder ??= await newFolder(dataDir, join("damaged", time));
    const target = join(folder, path);
    await mkdir(dirname(join(dataDir, target)), { recursive: true, mode: 0o700 });
    return target;
  }

  return {
    moved,
    async move(path) {
      const from = join(dataDir, path);
      if (!existsSync(from)) return;
      const target = await targetOf(path);
      await rename(from, join(dataDir, target));
      await syncFolder(dirname(join(dataDir, target)));
      await syncFolder(dirname(from));
      moved.push(target);
    },
    async keep(path) {
      const from = join(dataDir, path);
      if (!existsSync(from)) return;
      const target = await targetOf(path);
      // Not a link: a service that starts before the repair goes on would change the copy as well.
      await copyFile(from, join(dataDir, target));
      await syncFile(join(dataDir, target));
      await syncFolder(dirname(join(dataDir, target)));
      moved.push(target);
    },
  };
}

/** Makes a folder that was not there, `path` or `path-2` and so on, so that no earlier file is replaced. */
async function newFolder(dataDir: string, path: string): Promise<string> {
  await mkdir(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 });
  for (let n = 1; ; n++) {
    const tried = n === 1 ? path : `${path}-${n}`;
    try {
      await mkdir(join(dataDir, tried), { mode: 0o700 });
      return tried;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
