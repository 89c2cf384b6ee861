import { initialSurface } from "../photogrammetry/dense/initial-surface.ts";
import type { GridFrame } from "../photogrammetry/elevation-grid.ts";
import { settle, type TaskResult } from "./contract.ts";

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
