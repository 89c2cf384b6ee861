import type { GateFinding } from "../../../processing/gates/gates.ts";
import {
  openWorkerPool,
  type PoolOptions,
  type WorkerPool,
} from "../../../processing/pool/pool.ts";

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
    | "niceness";
  readonly memoryBytes?: number;
  /** Counts the tasks that began. */
  readonly started?: Int32Array;
}

export interface GridOutput {
  readonly elevationM: Float32Array<ArrayBuffer>;
}

export interface TestTasks {
  poison: { input: PoisonInput; output: unknown };
  grid: { input: { readonly cells: number }; output: GridOutput };
  absent: { input: null; output: null };
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

/** A pool whose tasks behave as their input asks, with 128 MiB of heap to each thread. */
export function openTestPool(
  change: Partial<PoolOptions<TestTasks>> & { readonly timeMs?: number } = {},
): WorkerPool<TestTasks> {
  const timeMs = change.timeMs ?? 30_000;
  return openWorkerPool<TestTasks>({
    tasks: {
      poison: { timeMs, memoryBytes: ({ memoryBytes = MIB }) => memoryBytes },
      grid: { timeMs, memoryBytes: ({ cells }) => 4 * cells },
      absent: { timeMs, memoryBytes: () => 0 },
    },
    folder: new URL("./", import.meta.url),
    threads: 2,
    memoryBytes: 256 * MIB,
    ...change,
  });
}
