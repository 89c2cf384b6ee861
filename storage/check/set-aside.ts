import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "../sync-folder.ts";

/** Takes damaged files out of the way of a repair. Nothing is ever deleted. */
export interface SetAsideFolder {
  /** Moves a file or folder, if it is there. Paths are below the data folder. */
  move(path: string): Promise<void>;
  /** Everything that was moved, as it lies below the data folder now. */
  readonly moved: readonly string[];
}

/** Files go to `DATA_DIR/damaged/TIME/`, under the path that they had. */
export function openSetAside(dataDir: string, nowMs: number): SetAsideFolder {
  const folder = join("damaged", new Date(nowMs).toISOString().replaceAll(":", "-"));
  const moved: string[] = [];
  return {
    moved,
    async move(path) {
      const from = join(dataDir, path);
      if (!existsSync(from)) return;
      const target = join(folder, path);
      await mkdir(dirname(join(dataDir, target)), { recursive: true, mode: 0o700 });
      await rename(from, join(dataDir, target));
      await syncFolder(dirname(join(dataDir, target)));
      await syncFolder(dirname(from));
      moved.push(target);
    },
  };
}
