import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Deletes the folders of attempts at jobs that nothing was written to since `beforeMs`: what processes left
 * that were killed, and whose jobs went on elsewhere or not at all.
 */
export async function sweepProducts(dir: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    const folder = join(dir, name);
    const attempts = await readdir(folder).catch(() => []);
    const times = await Promise.all(
      [folder, ...attempts.map((attempt) => join(folder, attempt))].map((path) =>
        stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    if (Math.max(...times) < beforeMs) await rm(folder, { recursive: true, force: true });
  }
}
