import type { FileStore } from "../ports/files.ts";
import type { CountedFile, StoredFiles } from "../ports/platform/stored-files.ts";

const PAGE = 1_000;

/**
 * Puts the count of stored files right: counts what a killed process stored and did not count, and gives
 * back what it deleted. Walks the store and the rows side by side, both by rising key; files that come and
 * go meanwhile are counted by whoever stores and deletes them. Yields how many rows it changed.
 */
export async function reconcileFiles(
  store: Pick<FileStore, "list" | "stat">,
  stored: StoredFiles,
  signal: AbortSignal,
): Promise<number> {
  let changed = 0;
  const counted = pages(stored);
  let next = await counted.next();

  async function drop({ key }: CountedFile): Promise<void> {
    // It may have been stored since the walk passed its place.
    if ((await store.stat(key)) !== undefined) return;
    await stored.remove(key);
    changed += 1;
  }

  for await (const { key, bytes } of store.list("")) {
    signal.throwIfAborted();
    while (next.done !== true && isBefore(next.value.key, key)) {
      await drop(next.value);
      next = await counted.next();
    }
    if (next.done !== true && next.value.key === key) {
      next = await counted.next();
      continue;
    }
    await stored.adopt({ key, bytes });
    changed += 1;
  }
  while (next.done !== true) {
    signal.throwIfAborted();
    await drop(next.value);
    next = await counted.next();
  }
  await stored.adoptSchedules();
  return changed;
}

/** Keys are ASCII: their order as text is that of their bytes. */
const isBefore = (a: string, b: string): boolean => a < b;

async function* pages(stored: Pick<StoredFiles, "page">): AsyncGenerator<CountedFile, undefined> {
  let after = "";
  for (;;) {
    const rows = await stored.page(after, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    after = last.key;
  }
}
