import { Gauge } from "prom-client";
import { DAY_MS } from "../domain/time.ts";
import type { FileStore } from "../storage/ports/files.ts";
import type { StoredFiles } from "../storage/ports/platform/stored-files.ts";
import { reconcileFiles } from "../storage/quota/reconcile-files.ts";
import type { Start } from "./process/common.ts";

/** How often the count of stored files is compared with the file store, ms: a kill leaves a file or two. */
const RECONCILE_EVERY_MS = DAY_MS;

/** Exposes what projects have stored, and puts the count right now and every day, in the background. */
export function keepCount(
  { log, closers, metrics }: Start,
  store: FileStore,
  stored: StoredFiles,
): void {
  new Gauge({
    name: "plumbline_project_stored_bytes",
    help: "Bytes of stored files, by project",
    labelNames: ["project"],
    registers: [metrics],
    async collect() {
      this.reset();
      // A store that is away must not take the other metrics with it.
      for (const { projectId, bytes } of await stored.usages().catch(() => [])) {
        this.set({ project: projectId }, bytes);
      }
    },
  });
  const ending = new AbortController();
  let running: Promise<void> = Promise.resolve();
  async function reconcile(): Promise<void> {
    try {
      const changed = await reconcileFiles(store, stored, ending.signal);
      if (changed > 0) log.info({ changed }, "the count of stored files was put right");
    } catch (error) {
      if (!ending.signal.aborted) log.warn({ err: error }, "stored files could not be counted");
    }
  }
  const begin = () => {
    running = running.then(reconcile);
  };
  const timer = setInterval(begin, RECONCILE_EVERY_MS);
  begin();
  closers.push(async () => {
    clearInterval(timer);
    ending.abort();
    await running;
  });
}
