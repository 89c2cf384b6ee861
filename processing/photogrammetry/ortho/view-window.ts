import type { HeightRange } from "../../grid/elevation-at.ts";
import type { GridFrame } from "../../grid/elevation-grid.ts";
import type { Intrinsics, Pose } from "../camera/camera.ts";
import { DEPTH_STEP_PX } from "./depth-buffer.ts";
import { lensReach2 } from "./lens-reach.ts";
import type { ViewWindow } from "./ortho-view.ts";

/** Places along each edge of the cells that are projected, and the room for what bends between two, pixels. */
const SAMPLES = 4;
const MARGIN_PX = 8;

/**
 * The part of an image that shows these cells of the ground between two heights; edges on whole pixels of a depth
 * buffer. All of the image where some of them lie behind the camera.
 */
export function viewWindow(
  lens: Intrinsics,
  { rotation: r, centre }: Pose,
  frame: GridFrame,
  heights: HeightRange,
): ViewWindow {
  const { widthPx, heightPx, focalPx, cxPx, cyPx, k1, k2, p1, p2 } = lens;
  const reach2 = lensReach2(lens);
  let [left, top, right, bottom] = [widthPx, heightPx, 0, 0];
  for (const [east, south] of outline()) {
    for (const z of heights) {
      const dx = frame.westM + east * frame.width * frame.cellM - centre[0];
      const dy = frame.northM - south * frame.height * frame.cellM - centre[1];
      const dz = z - centre[2];
      const along = (r[6] ?? 0) * dx + (r[7] ?? 0) * dy + (r[8] ?? 0) * dz;
      if (!(along > 0)) return { left: 0, top: 0, width: widthPx, height: heightPx };
      const x = ((r[0] ?? 0) * dx + (r[1] ?? 0) * dy + (r[2] ?? 0) * dz) / along;
      const y = ((r[3] ?? 0) * dx + (r[4] ?? 0) * dy + (r[5] ?? 0) * dz) / along;
      const q = x * x + y * y;
      // Beyond what the lens images its polynomial may turn back: as far out as the picture goes, and further.
      const radial = q < reach2 ? 1 + q * (k1 + k2 * q) : 2;
      const bend = q < reach2 ? 1 : 0;
      const u = focalPx * (x * radial + bend * (2 * p1 * x * y + p2 * (q + 2 * x * x))) + cxPx;
      const v = focalPx * (y * radial + bend * (p1 * (q + 2 * y * y) + 2 * p2 * x * y)) + cyPx;
      [left, right] = [Math.min(left, u), Math.max(right, u)];
      [top, bottom] = [Math.min(top, v), Math.max(bottom, v)];
    }
  }
  const from = (edge: number, size: number) =>
    clamp(Math.floor((edge - MARGIN_PX) / DEPTH_STEP_PX) * DEPTH_STEP_PX, size);
  const to = (edge: number, size: number) => clamp(Math.ceil(edge + MARGIN_PX) + 1, size);
  const [x0, y0] = [from(left, widthPx), from(top, heightPx)];
  return {
    left: x0,
    top: y0,
    width: Math.max(0, to(right, widthPx) - x0),
    height: Math.max(0, to(bottom, heightPx) - y0),
  };
}

function clamp(edge: number, size: number): number {
  return Math.min(size, Math.max(0, edge));
}

/** Points around a square of edge 1. */
function outline(): readonly (readonly [number, number])[] {
  return Array.from({ length: SAMPLES + 1 }, (_, i) => i / SAMPLES).flatMap(
    (share) =>
      [
        [share, 0],
        [share, 1],
        [0, share],
        [1, share],
      ] as const,
  );
}
