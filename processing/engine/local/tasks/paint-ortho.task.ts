import { heightRangeUnder } from "../../../grid/elevation-at.ts";
import type { GridFrame, HeightField } from "../../../grid/elevation-grid.ts";
import { type DecodedLevel, readWindow } from "../../../images/pixels/decoded-image.ts";
import type { DepthBuffer } from "../../../photogrammetry/ortho/depth-buffer.ts";
import {
  blockFrame,
  blocksOf,
  createOrthoPainter,
  type OrthoBlock,
} from "../../../photogrammetry/ortho/ortho-block.ts";
import type { OrthoView, ViewWindow } from "../../../photogrammetry/ortho/ortho-view.ts";
import { viewWindow } from "../../../photogrammetry/ortho/view-window.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";
import type { DecodedDepth } from "./sample-colours.task.ts";

/** A view whose pixels and depths lie in files. */
export interface DecodedView extends Omit<OrthoView, "part"> {
  readonly image: DecodedLevel;
  readonly depth: DecodedDepth;
}

export interface PaintOrthoInput {
  readonly surface: HeightField;
  readonly views: readonly DecodedView[];
  readonly frame: GridFrame;
  readonly regions: readonly OrthoBlock[];
  /** The whole orthophoto, on shared memory: four bytes a cell. */
  readonly rgba: Uint8Array;
}

/** Worker entry: colours some regions of the orthophoto; of the images the parts that show them are read. */
export function run(input: PaintOrthoInput): Promise<TaskResult<null>> {
  return settle(() => {
    for (const region of input.regions) paintRegion(input, region);
    return null;
  });
}

function paintRegion(input: PaintOrthoInput, region: OrthoBlock): void {
  const { surface, frame, rgba } = input;
  const place = blockFrame(frame, region);
  const range = heightRangeUnder(surface, place);
  if (range[0] > range[1]) return;
  const views = input.views.map(({ image, depth, ...view }): OrthoView => {
    const { lens, pose } = view;
    return {
      ...view,
      part() {
        const window = viewWindow(lens, pose, place, range);
        return { window, rgb: readWindow(image, window), depth: depthOf(depth, window) };
      },
    };
  });
  const painter = createOrthoPainter(surface, views, frame);
  for (const block of blocksOf(region)) painter.paint(block, rgba);
}

/** The depths of a window, whose left and upper edge are those of a pixel of the buffer. */
function depthOf({ stepPx, keep, inverseDepth }: DecodedDepth, window: ViewWindow): DepthBuffer {
  const [left, top] = [window.left / stepPx, window.top / stepPx];
  const width = Math.ceil(window.width / stepPx);
  const height = Math.ceil(window.height / stepPx);
  const bytes = readWindow(inverseDepth, { left, top, width, height });
  return { width, height, stepPx, keep, inverseDepth: new Float32Array(bytes.buffer) };
}
