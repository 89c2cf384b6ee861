import { openWorkerPool, type PoolOptions, type WorkerPool } from "./pool.ts";
import { type SurveyTasks, TASKS } from "./tasks.ts";

export type SurveyPool = WorkerPool<SurveyTasks>;

export function openSurveyPool(
  options: Pick<
    PoolOptions<SurveyTasks>,
    "threads" | "memoryBytes" | "onTask" | "onLoad" | "niceness"
  >,
): SurveyPool {
  return openWorkerPool({
    ...options,
    tasks: TASKS,
    folder: new URL("../workers/", import.meta.url),
  });
}
