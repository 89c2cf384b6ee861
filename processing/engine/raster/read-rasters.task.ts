import { settle, type TaskResult } from "../../pool/task-result.ts";
import { type GivenRasters, type ReadRasters, readRasters } from "./read-rasters.ts";

/** Worker entry: a given surface and orthophoto on ENU grids. */
export function run(rasters: GivenRasters): Promise<TaskResult<ReadRasters>> {
  return settle(
    () => readRasters(rasters),
    ({ dsm, ortho }) =>
      [dsm.elevationM, dsm.score, dsm.views, ...(ortho === undefined ? [] : [ortho.rgba])].map(
        ({ buffer }) => buffer as ArrayBuffer,
      ),
  );
}
