import { pipeline, Readable } from "node:stream";
import type { FileStore } from "../ports/files.ts";
import type { StoredFiles } from "../ports/platform/stored-files.ts";
import type { ProjectQuota } from "./quota.ts";

/**
 * A file store that counts what it holds for whom, and refuses what a project's quota has no room for. A file
 * is counted after it is stored and until it is deleted: what a kill leaves between is corrected by
 * `reconcileFiles`.
 */
export function createCountedFiles(
  store: FileStore,
  stored: Pick<StoredFiles, "put" | "remove" | "ownerOf">,
  quota: ProjectQuota,
): FileStore {
  return {
    stat: (key) => store.stat(key),
    get: (key, range) => store.get(key, range),
    list: (prefix) => store.list(prefix),
    url: (key, expiresAtMs) => store.url(key, expiresAtMs),
    close: () => store.close(),
    async put(key, content, options = {}) {
      const projectId = options.projectId ?? (await stored.ownerOf(key));
      const replaced = projectId === undefined ? undefined : await store.stat(key);
      const meter = projectId && (await quota.meter(projectId, replaced?.bytes ?? 0));
      try {
        const file = await store.put(key, metered(content, meter?.stream), options);
        await stored.put({ key, bytes: file.bytes }, projectId);
        return file;
      } finally {
        meter?.release();
      }
    },
    async delete(key) {
      await store.delete(key);
      await stored.remove(key);
    },
  };
}

function metered(
  content: Readable | Uint8Array,
  meter: NodeJS.ReadWriteStream | undefined,
): Readable | Uint8Array {
  if (meter === undefined) return content;
  const source = content instanceof Uint8Array ? Readable.from([content]) : content;
  // The reader of the last stream gets every error.
  return pipeline(source, meter, () => undefined) as unknown as Readable;
}
