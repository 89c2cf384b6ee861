import { openWorkerPool, type WorkerPool } from "../../../processing/pool/pool.ts";

export interface WorkInput {
  readonly text: string;
  readonly busyMs: number;
  readonly deed: "works" | "never ends" | "kills its thread";
}

export interface WorkTasks {
  work: { readonly input: WorkInput; readonly output: string };
}

/** The pool of these tests: two threads, as on the machine that the promises are made for. */
export function openWorkPool(): WorkerPool<WorkTasks> {
  return openWorkerPool<WorkTasks>({
    tasks: { work: { timeMs: 60_000, memoryBytes: () => 1024 ** 2 } },
    folder: new URL("./", import.meta.url),
    threads: 2,
    memoryBytes: 1024 ** 3,
  });
}
