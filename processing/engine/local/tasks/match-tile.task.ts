import { type DecodedLevel, readWindow } from "../../../images/pixels/decoded-image.ts";
import { matchTile } from "../../../photogrammetry/dense/match-tile.ts";
import type { TileInput, TileResult } from "../../../photogrammetry/dense/tile.ts";
import { pieceBounds } from "../../../photogrammetry/dense/tile-camera.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";

/** Worker entry: heights of one tile; of its images the parts that show it are read. */
export function run(tile: TileInput<DecodedLevel>): Promise<TaskResult<TileResult>> {
  return settle(
    () => {
      const { frame, surface, pass } = tile;
      const views = tile.views.map((view) => {
        const { width, height } = view.image;
        const window = pieceBounds(view, frame, surface, pass.steps * pass.stepM);
        return {
          ...view,
          image: { width, height, window, pixels: readWindow(view.image, window) },
        };
      });
      return matchTile({ ...tile, views });
    },
    ({ elevationM, score, views }) =>
      [elevationM, score, views].map(({ buffer }) => buffer as ArrayBuffer),
  );
}
