import type { ImageFile } from "../engine/engine.ts";
import { READ_BYTES, READ_MS } from "../images/image-limits.ts";
import type { SurveyImage } from "../photogrammetry/survey-image.ts";
import { openWorkerPool, type PoolOptions, type TaskTable, type WorkerPool } from "./pool.ts";

/** Every task of image processing: the stem of its file in `../workers` to its input and output. */
export interface SurveyTasks {
  "read-image": { readonly input: ImageFile; readonly output: SurveyImage };
}

export type SurveyPool = WorkerPool<SurveyTasks>;

const TASKS: TaskTable<SurveyTasks> = {
  "read-image": { timeMs: READ_MS, memoryBytes: () => READ_BYTES },
};

export function openSurveyPool(
  options: Pick<PoolOptions<SurveyTasks>, "threads" | "memoryBytes" | "onTask">,
): SurveyPool {
  return openWorkerPool({
    ...options,
    tasks: TASKS,
    folder: new URL("../workers/", import.meta.url),
  });
}
