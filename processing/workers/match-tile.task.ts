import { matchTile } from "../photogrammetry/dense/match-tile.ts";
import type { TileInput, TileResult } from "../photogrammetry/dense/tile.ts";
import { settle, type TaskResult } from "./contract.ts";

/** Worker entry: heights of one tile; its images lie on shared memory. */
export function run(tile: TileInput): Promise<TaskResult<TileResult>> {
  return settle(
    () => matchTile(tile),
    ({ elevationM, score, views }) =>
      [elevationM, score, views].map(({ buffer }) => buffer as ArrayBuffer),
  );
}
