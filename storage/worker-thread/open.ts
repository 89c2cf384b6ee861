import { Worker, type WorkerOptions } from "node:worker_threads";

const fromSource = import.meta.url.endsWith(".ts");

/**
 * Starts the worker thread whose entry is `{stem}.worker.ts` beside the caller (its `.js` once built).
 * `base` is the caller's `import.meta.url`, `stem` a relative path such as `./seal`.
 */
export function openWorker(base: string, stem: string, options: WorkerOptions = {}): Worker {
  const entry = new URL(`${stem}.worker.${fromSource ? "ts" : "js"}`, base);
  const preload = new URL("./register-ts.mjs", import.meta.url).href;
  return new Worker(entry, {
    ...options,
    execArgv: [...(options.execArgv ?? []), ...(fromSource ? ["--import", preload] : [])],
  });
}
