import { readFile, rm } from "node:fs/promises";
import { writeFileAtomically } from "../data-folder/small-file.ts";

/** Name of the file in the data folder. */
export const PROGRESS_FILE = "migrate-data.json";

/** How far a migration has come. What is noted is on the other side; more than that may be. */
export interface MigrationProgress {
  /** The two servers, without secrets. */
  readonly target: string;
  /** What the source held when the migration began; another content means that it begins anew. */
  readonly source: string;
  /** Points older than this stay behind, ms since the Unix epoch. */
  readonly cutoffMs: number;
  /** Last key that was copied of a table, as text by column; `null`: all of it. */
  readonly tables: Record<string, readonly string[] | null>;
  /** End of what was copied of an asset's time line, ms since the Unix epoch. */
  readonly assets: Record<string, number>;
}

/**
 * Longest time that progress is in memory only, ms. Copying a part again is harmless; saving more often
 * syncs the disk more often.
 */
const SAVE_EVERY_MS = 1_000;

/** The progress file of one migration. */
export interface ProgressFile {
  readonly progress: MigrationProgress;
  /** Whether an earlier run had begun. */
  readonly isResumed: boolean;
  /** Writes the progress, at most once a second unless `now`. */
  save(now?: boolean): Promise<void>;
  remove(): Promise<void>;
}

/** Reads the progress of an earlier run with the same source and target, or begins anew. */
export async function openProgressFile(
  path: string,
  begin: Omit<MigrationProgress, "tables" | "assets">,
): Promise<ProgressFile> {
  const found = await readProgress(path);
  const isResumed = found?.target === begin.target && found.source === begin.source;
  const progress = isResumed ? found : { ...begin, tables: {}, assets: {} };
  let savedMs = Number.NEGATIVE_INFINITY;
  return {
    progress,
    isResumed,
    async save(now = false) {
      const nowMs = performance.now();
      if (!now && nowMs - savedMs < SAVE_EVERY_MS) return;
      await writeFileAtomically(path, `${JSON.stringify(progress)}\n`);
      savedMs = nowMs;
    },
    remove: () => rm(path, { force: true }),
  };
}

async function readProgress(path: string): Promise<MigrationProgress | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  // The file is replaced whole, so it is either ours or not there.
  return text === undefined ? undefined : (JSON.parse(text) as MigrationProgress);
}
