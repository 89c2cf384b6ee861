import type { GridFrame } from "../photogrammetry/elevation-grid.ts";
import type { HeightField } from "../photogrammetry/ortho/depth-buffer.ts";
import { createOrthoPainter, type OrthoBlock } from "../photogrammetry/ortho/ortho-block.ts";
import type { OrthoView } from "../photogrammetry/ortho/ortho-view.ts";
import { settle, type TaskResult } from "./contract.ts";

export interface PaintOrthoInput {
  readonly surface: HeightField;
  readonly views: readonly OrthoView[];
  readonly frame: GridFrame;
  readonly blocks: readonly OrthoBlock[];
  /** The whole orthophoto, on shared memory: four bytes a cell. */
  readonly rgba: Uint8Array;
}

/** Worker entry: colours some blocks of the orthophoto. */
export function run(input: PaintOrthoInput): Promise<TaskResult<null>> {
  return settle(() => {
    const painter = createOrthoPainter(input.surface, input.views, input.frame);
    for (const block of input.blocks) painter.paint(block, input.rgba);
    return null;
  });
}
