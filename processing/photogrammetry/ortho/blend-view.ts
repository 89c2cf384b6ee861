import type { GridFrame } from "../../grid/elevation-grid.ts";
import { BLEND_WASM } from "../../wasm/blend.wasm.ts";
import { openKernel } from "../../wasm/kernel.ts";
import { MIN_DEPTH_M } from "../bundle/observation-jacobian.ts";
import { cameraNumbers } from "./camera-numbers.ts";
import { lensReach2 } from "./lens-reach.ts";
import type { OrthoView, ViewPart } from "./ortho-view.ts";

/**
 * Weight of a view that looks past the vertical by t = tan(angle): (1 + t2 / NADIR_TAN2)^-8. Smaller =
 * harder seams. Chosen: at 15 degrees against 8 the view counts a tenth, so that leaning walls and
 * errors of the surface come from one view, and seams are still metres wide.
 */
const NADIR_TAN2 = 0.3 ** 2;
/**
 * Width of the border over which a view fades out, share of the image's shorter edge. Wider takes weight from
 * images that see well, narrower lets the edges of images show.
 */
const FEATHER_SHARE = 0.1;

/** The functions of `assembly/blend.ts`, with one memory for a block and the parts of images over it. */
export const kernel = openKernel(BLEND_WASM, ["blend", "hasGap", "colours"]);
/** Bytes of a view in the kernel's memory. */
export const VIEW_BYTES = 42 * 8;

/** The block at hand in the kernel's memory: addresses of its heights, of four sums a cell, and of one view. */
export interface BlendedBlock {
  readonly frame: GridFrame;
  readonly heights: number;
  readonly sums: number;
  readonly view: number;
}

/** One view, ready to be added to blocks of an orthophoto. */
export interface BlendedView {
  readonly view: OrthoView;
  readonly reach2: number;
  /** Its pixels and depths in the kernel's memory, from the first block on that it is added to. */
  part: PlacedPart | undefined;
}

interface PlacedPart extends Pick<ViewPart, "window"> {
  /** Addresses. */
  readonly rgb: number;
  readonly depths: number;
  readonly depth: Omit<ViewPart["depth"], "inverseDepth">;
}

export function blendedView(view: OrthoView): BlendedView {
  return { view, reach2: lensReach2(view.lens), part: undefined };
}

/**
 * How steeply the view looks down on the middle of the block: height above it over distance, 0 to 1; 0 when the block
 * has no image.
 */
export function steepness(blended: BlendedView, frame: GridFrame, heightM: number): number {
  const [cx, cy, cz] = blended.view.pose.centre;
  const halfX = (frame.width * frame.cellM) / 2;
  const halfY = (frame.height * frame.cellM) / 2;
  const x = frame.westM + halfX;
  const y = frame.northM - halfY;
  const isInView =
    isImaged(blended, x, y, heightM) ||
    isImaged(blended, x - halfX, y - halfY, heightM) ||
    isImaged(blended, x + halfX, y - halfY, heightM) ||
    isImaged(blended, x - halfX, y + halfY, heightM) ||
    isImaged(blended, x + halfX, y + halfY, heightM);
  const above = cz - heightM;
  return isInView && above > 0 ? above / Math.hypot(x - cx, y - cy, above) : 0;
}

function isImaged({ view, reach2 }: BlendedView, x: number, y: number, z: number): boolean {
  const { lens, pose } = view;
  const { rotation: r, centre } = pose;
  const dx = x - centre[0];
  const dy = y - centre[1];
  const dz = z - centre[2];
  const along = (r[6] ?? 0) * dx + (r[7] ?? 0) * dy + (r[8] ?? 0) * dz;
  const xn = ((r[0] ?? 0) * dx + (r[1] ?? 0) * dy + (r[2] ?? 0) * dz) / along;
  const yn = ((r[3] ?? 0) * dx + (r[4] ?? 0) * dy + (r[5] ?? 0) * dz) / along;
  const q = xn * xn + yn * yn;
  if (!(along > MIN_DEPTH_M && q < reach2)) return false;
  const radial = 1 + q * (lens.k1 + lens.k2 * q);
  const u = lens.focalPx * xn * radial + lens.cxPx;
  const v = lens.focalPx * yn * radial + lens.cyPx;
  return u > 0 && v > 0 && u < lens.widthPx - 1 && v < lens.heightPx - 1;
}

/**
 * Adds weighted red, green, blue (0 to 255) and the weight to the sums of the block's cells that the view sees; with
 * `onlyGaps` only where the weight is still 0. Views of the kernel's memory made before are dead.
 */
export function blendView(blended: BlendedView, block: BlendedBlock, onlyGaps: boolean): void {
  blended.part ??= placePart(blended.view.part());
  const { window, rgb, depths, depth } = blended.part;
  const { frame, heights, sums, view } = block;
  kernel.f64(view, VIEW_BYTES / 8).set(viewBlock(blended, blended.part, frame));
  kernel.functions.blend(
    ...[view, heights, frame.width, frame.height, onlyGaps ? 1 : 0],
    ...[rgb, window.width * 3, depths, depth.width, sums],
  );
}

function placePart({ window, rgb, depth }: ViewPart): PlacedPart {
  const { inverseDepth } = depth;
  // The last pixel is read four bytes at a time.
  const rgbAt = kernel.extend(rgb.length + 1);
  const depthsAt = kernel.extend(inverseDepth.byteLength);
  kernel.u8(rgbAt, rgb.length).set(rgb);
  kernel.f32(depthsAt, inverseDepth.length).set(inverseDepth);
  return { window, rgb: rgbAt, depths: depthsAt, depth };
}

/** The view as the kernel takes it (`wasm/assembly/blend.ts`). */
function viewBlock(
  { view }: BlendedView,
  { window, depth }: PlacedPart,
  { westM, northM, cellM }: GridFrame,
): Float64Array {
  const { lens, pose, gain } = view;
  const { widthPx, heightPx } = lens;
  const { left, top, width, height } = window;
  return Float64Array.of(
    ...cameraNumbers(lens, pose),
    ...[westM, northM, cellM, widthPx - 1, heightPx - 1],
    1 / (FEATHER_SHARE * Math.min(widthPx, heightPx)),
    ...[left, top, left + width - 1, top + height - 1, 1 / depth.stepPx, depth.keep],
    4 / (widthPx ** 2 + heightPx ** 2),
    ...[...gain.gain, 1, ...gain.falloff, 0, NADIR_TAN2],
  );
}
