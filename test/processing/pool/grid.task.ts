import { settle, type TaskResult } from "../../../processing/pool/task-result.ts";
import type { GridOutput } from "./poison.ts";

/** A grid of so many cells, handed over without a copy. */
export function run({ cells }: { cells: number }): Promise<TaskResult<GridOutput>> {
  return settle(
    () => ({ elevationM: new Float32Array(cells).fill(1.5) }),
    ({ elevationM }) => [elevationM.buffer],
  );
}
