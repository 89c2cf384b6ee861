import type { Worker } from "node:worker_threads";
import { openWorker } from "../../../storage/worker-thread/open.ts";
import { type GridFolder, gridFolder } from "../../coordinates/grid-folder.ts";
import type { FinishedTask } from "../../pool/pool.ts";
import type { SurveyEngines } from "../survey-engines.ts";
import type { EngineThreadStart } from "./messages.ts";
import { SupervisedEngines } from "./supervise-engines.ts";

export interface EngineThreadOptions extends Omit<EngineThreadStart, "load" | "disk"> {
  /** Absent: nothing is refused. */
  readonly disk?: EngineThreadStart["disk"];
  /** Called with every task that ran. */
  readonly onTask?: (task: FinishedTask) => void;
}

/**
 * Least heap of the engines' thread, MiB: matches of large surveys are objects in part. Less ends large
 * surveys, more lets the process outgrow a small setting.
 */
const LEAST_HEAP_MIB = 256;
const MIB = 1024 ** 2;

/**
 * Engines in one thread of their own, which has the pool's threads for its own: between tasks an engine
 * plans, fills, joins and stores for 20 ms and more at a time, and no request waits for that. The thread
 * starts with the first work. One that crashes fails what it had to do, and the next work starts another.
 */
export function openEngineThread({ onTask, disk, ...start }: EngineThreadOptions): SurveyEngines {
  const { threads, memoryBytes } = start;
  const startWorker = (load: SharedArrayBuffer): Worker =>
    openWorker(import.meta.url, "./engines", {
      workerData: { ...start, disk, load, ...gridFolder() } satisfies EngineThreadStart &
        GridFolder,
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(LEAST_HEAP_MIB, Math.floor(memoryBytes / MIB)),
      },
    });
  return new SupervisedEngines({ startWorker, threads, memoryBytes, onTask });
}
