import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const NAME = /^[a-z0-9-]+-[0-9a-f]{64}\.stage$/;

/**
 * Deletes finished stages of a folder, least recently used first, and yields the bytes freed: until at most
 * `maxBytes` are left, or until `freeBytes` are freed. A stage that is deleted while it is needed is computed
 * again. A folder that is not there is empty.
 */
export async function pruneStages(
  dir: string,
  limit: { readonly maxBytes: number } | { readonly freeBytes: number },
): Promise<number> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => NAME.test(name));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(dir, name);
      const stats = await stat(path).catch(() => undefined);
      return stats === undefined ? [] : [{ path, bytes: stats.size, usedMs: stats.mtimeMs }];
    }),
  );
  const oldestFirst = files.flat().toSorted((a, b) => a.usedMs - b.usedMs);
  const total = oldestFirst.reduce((sum, { bytes }) => sum + bytes, 0);
  const wanted = "maxBytes" in limit ? total - limit.maxBytes : limit.freeBytes;
  let freed = 0;
  for (const { path, bytes } of oldestFirst) {
    if (freed >= wanted) break;
    await rm(path, { force: true });
    freed += bytes;
  }
  return freed;
}
