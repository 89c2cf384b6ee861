import type { FastifyBaseLogger } from "fastify";
import type { FileStore } from "../storage/ports/files.ts";

/**
 * Deletes the files of what is no more: nothing leads to them. They may be thousands, and nobody need wait
 * for that; what cannot be deleted is left, and logged.
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
