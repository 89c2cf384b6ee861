import type { GateFinding } from "../../../processing/gates/gates.ts";
import { type PoolOptions, ThreadPool } from "../../../processing/pool/pool.ts";
import { declareTask } from "../../../processing/pool/task.ts";

export interface PoisonInput {
  readonly deed:
    | "echo"
    | "throw"
    | "late throw"
    | "domain"
    | "gate"
    | "exit"
    | "memory"
    | "loop"
    | "niceness"
    | "niceness of libvips";
  readonly memoryBytes?: number;
  /** Counts the tasks that began. */
  readonly started?: Int32Array;
}

export interface GridOutput {
  readonly elevationM: Float32Array<ArrayBuffer>;
}

export const FINDING: GateFinding = {
  gate: "NO_GPS",
  severity: "reject",
  value: 3,
  threshold: 0,
  unit: "images",
  advice: "Switch it on.",
  images: ["a.jpg"],
};

const MIB = 1024 ** 2;
const TIME_MS = 30_000;

/** Behaves as its input asks. */
export const POISON = declareTask<PoisonInput, unknown>(import.meta.url, "poison", {
  timeMs: TIME_MS,
  memoryBytes: ({ memoryBytes = MIB }) => memoryBytes,
});

export const GRID = declareTask<{ readonly cells: number }, GridOutput>(import.meta.url, "grid", {
  timeMs: TIME_MS,
  memoryBytes: ({ cells }) => 4 * cells,
});

/** Its entry is missing. */
export const ABSENT = declareTask<null, null>(import.meta.url, "absent", {
  timeMs: TIME_MS,
  memoryBytes: () => 0,
});

/** A pool with 128 MiB of heap to each thread. */
export function openTestPool(change: Partial<PoolOptions> = {}): ThreadPool {
  return new ThreadPool({ threads: 2, memoryBytes: 256 * MIB, ...change });
}
