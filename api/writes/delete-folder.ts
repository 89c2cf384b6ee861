import type { FastifyBaseLogger } from "fastify";
import type { FileStore } from "../../storage/ports/files.ts";

/**
 * Deletes the files of a deleted record: nothing leads to them. They may be thousands, so nobody waits for
 * that; files that cannot be deleted are left, and logged.
 */
export function deleteFolder(
  store: Pick<FileStore, "list" | "delete">,
  prefix: string,
  log: FastifyBaseLogger,
): void {
  async function deleteAll(): Promise<void> {
    for await (const { key } of store.list(prefix)) await store.delete(key);
  }
  void deleteAll().catch((error: unknown) => {
    log.error({ err: error, prefix }, "files of what was deleted are left");
  });
}
