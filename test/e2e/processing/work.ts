import { ThreadPool } from "../../../processing/pool/pool.ts";
import { declareTask } from "../../../processing/pool/task.ts";

export interface WorkInput {
  readonly text: string;
  readonly busyMs: number;
  readonly deed: "works" | "never ends" | "kills its thread";
}

export const WORK = declareTask<WorkInput, string>(import.meta.url, "work", {
  timeMs: 60_000,
  memoryBytes: () => 1024 ** 2,
});

/** The pool of these tests: two threads, as on the machine that the promises are made for. */
export function openWorkPool(): ThreadPool {
  return new ThreadPool({ threads: 2, memoryBytes: 1024 ** 3 });
}
