import type { HeightRange } from "../../grid/elevation-at.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";
import { DEPTH_WASM } from "../../wasm/depth.wasm.ts";
import { openKernel } from "../../wasm/kernel.ts";
import type { Intrinsics, Pose } from "../camera/camera.ts";
import { cameraNumbers } from "./camera-numbers.ts";
import { cellsInView } from "./cells-in-view.ts";

/** What an image sees first of the surface, at a coarser raster than the image's. */
export interface DepthBuffer {
  readonly width: number;
  readonly height: number;
  /** Edge of one of its pixels, pixels of the image. */
  readonly stepPx: number;
  /** 1 / distance along the view (1/m) of the nearest surface; 0 = nothing; row-major, top row first. */
  readonly inverseDepth: Float32Array;
  /**
   * A point is seen when its own inverse depth is at least this share of the buffer's: it may lie
   * {@link HIDDEN_STEPS} of the buffer's pixels behind what the pixel holds.
   */
  readonly keep: number;
}

/** Pixels of the image for one of the buffer; lower = sharper edges of shadows, more work. */
export const DEPTH_STEP_PX = 2;
/**
 * Tolerance of "behind", in the buffer's pixels on the ground: a slope of 63 degrees to the view passes. More
 * paints what lies just behind an edge, less hides slopes from views that see them.
 */
const HIDDEN_STEPS = 2;
/**
 * A step from pixel to pixel beyond this many of its own widths is an edge, not a slope (72 degrees). More takes
 * walls for slopes, less grows slopes as edges.
 */
const EDGE_STEPS = 3;

const kernel = openKernel(DEPTH_WASM, ["projectRow", "drawStrip", "growNearSide"]);
/** Of a camera and what the kernel needs beside it. */
const CAMERA_BYTES = 23 * 8;

/**
 * Draws the surface, as triangles between the middles of its cells, into a z-buffer of the image
 * (Amhar, Jansa & Ries 1998, "The generation of true orthophotos using a 3D building model"). Inverse
 * depth is linear across a plane's image, so that it is interpolated without perspective division.
 * At edges the near side is grown by one pixel: a surface from matching is soft there, and what
 * belongs to a roof must not be painted on the ground beside it.
 * @param heights of the whole surface
 */
export function drawDepthBuffer(
  surface: HeightField,
  heights: HeightRange,
  lens: Intrinsics,
  pose: Pose,
  stepPx = DEPTH_STEP_PX,
): DepthBuffer {
  const width = Math.ceil(lens.widthPx / stepPx);
  const height = Math.ceil(lens.heightPx / stepPx);
  const range = cellsInView(surface, heights, lens, pose);
  const cells = Math.max(0, range.right - range.left);
  // The kernel takes cells by two, and pixels by four with one of zeros at least to the right of each row.
  const columns = cells + (cells & 1);
  const stride = (width + 4) & ~3;
  const rowBytes = columns * 12;
  const bufferBytes = stride * height * 4;
  const at = kernel.layout({
    camera: CAMERA_BYTES,
    heights: columns * 4,
    upper: rowBytes,
    lower: rowBytes,
    left: 16,
    buffer: bufferBytes,
    right: 16,
    rows: bufferBytes,
    grown: width * height * 4 + 16,
  });
  kernel.f32(at.left, bufferBytes / 4 + 8).fill(0);
  kernel
    .f64(at.camera, CAMERA_BYTES / 8)
    .set([...cameraNumbers(lens, pose), surface.westM, surface.cellM, stepPx]);
  const rowHeights = kernel.f32(at.heights, columns);
  rowHeights.fill(Number.NaN, cells);
  const project = (row: number, out: number): boolean => {
    const first = row * surface.width + range.left;
    rowHeights.set(surface.elevationM.subarray(first, first + cells));
    const north = surface.northM - (row + 0.5) * surface.cellM - pose.centre[1];
    return (
      kernel.functions.projectRow(at.heights, columns, range.left, north, at.camera, out) === 1
    );
  };
  let [upper, lower] = [at.upper, at.lower];
  let isUpperInView = range.top < range.bottom && project(range.top, upper);
  for (let row = range.top + 1; row < range.bottom; row += 1) {
    const isLowerInView = project(row, lower);
    if (isUpperInView && isLowerInView) {
      kernel.functions.drawStrip(upper, lower, columns, at.buffer, width, height, stride);
    }
    [upper, lower] = [lower, upper];
    isUpperInView = isLowerInView;
  }
  const stepRad = stepPx / lens.focalPx;
  const keepOfEdge = 1 - EDGE_STEPS * stepRad;
  kernel.functions.growNearSide(at.buffer, width, height, stride, keepOfEdge, at.rows, at.grown);
  return {
    width,
    height,
    stepPx,
    inverseDepth: kernel.f32(at.grown, width * height).slice(),
    keep: 1 - HIDDEN_STEPS * stepRad,
  };
}
