import { settle, type TaskResult } from "../pool/task-result.ts";
import { drawTile, type TileInput } from "./draw-tile.ts";
import { atDrawingPace } from "./drawing-pace.ts";

/** Worker entry: one map tile. */
export function run(input: TileInput): Promise<TaskResult<Uint8Array>> {
  return settle(() => atDrawingPace(() => drawTile(input)));
}
