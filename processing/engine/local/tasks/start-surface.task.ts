import type { GridFrame } from "../../../grid/elevation-grid.ts";
import { initialSurface } from "../../../photogrammetry/dense/initial-surface.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";

export interface StartSurfaceInput {
  /** Tie points, three numbers each: ENU, metres. */
  readonly points: Float64Array;
  readonly frame: GridFrame;
}

/** Worker entry: heights between tie points, from which dense matching starts. */
export function run({ points, frame }: StartSurfaceInput): Promise<TaskResult<Float32Array>> {
  return settle(
    () => initialSurface(points, frame),
    (heights) => [heights.buffer as ArrayBuffer],
  );
}
