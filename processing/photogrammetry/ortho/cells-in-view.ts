import { inverse, rotate } from "../../geometry/rotation.ts";
import type { HeightRange } from "../../grid/elevation-at.ts";
import type { GridFrame } from "../../grid/elevation-grid.ts";
import { type Intrinsics, type Pose, undistort } from "../camera/camera.ts";

/** Cells of a grid: columns `[left, right)`, rows `[top, bottom)`. */
export interface CellRange {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Places along each edge of the image whose rays are followed: between them it is nearly straight. */
const SAMPLES = 8;
/**
 * Room around them for what it bends between two, as a share of the image's width. More draws cells that no pixel
 * shows, less may miss some at the edge of a strong lens.
 */
const MARGIN = 0.02;
/** A ray that falls by less than this over a metre along the view counts as one to the horizon. */
const MIN_FALL = 0.05;

/**
 * The cells of a surface that an image may show, and one more on each side: all of them where it looks
 * near the horizon. So work on an image grows with what it shows, not with the survey.
 * @param heights of the whole surface
 */
export function cellsInView(
  { westM, northM, cellM, width, height }: GridFrame,
  [lowM, highM]: HeightRange,
  lens: Intrinsics,
  pose: Pose,
): CellRange {
  const all = { left: 0, right: width, top: 0, bottom: height };
  const [x, y, z] = pose.centre;
  if (!(lowM <= highM && highM < z)) return all;
  let [west, south] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [east, north] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const worldFromCamera = inverse(pose.rotation);
  for (const [u, v] of outline(lens)) {
    // The cone of rays is convex, and so is its part between two heights: its corners bound it.
    const ray = rotate(worldFromCamera, [u, v, 1]);
    const fall = -ray[2];
    if (fall < MIN_FALL) return all;
    for (const heightM of [lowM, highM]) {
      const reach = (z - heightM) / fall;
      west = Math.min(west, x + reach * ray[0]);
      east = Math.max(east, x + reach * ray[0]);
      south = Math.min(south, y + reach * ray[1]);
      north = Math.max(north, y + reach * ray[1]);
    }
  }
  const within = (cell: number, cells: number) => Math.min(cells, Math.max(0, cell));
  return {
    left: within(Math.floor((west - westM) / cellM) - 1, width),
    right: within(Math.ceil((east - westM) / cellM) + 1, width),
    top: within(Math.floor((northM - north) / cellM) - 1, height),
    bottom: within(Math.ceil((northM - south) / cellM) + 1, height),
  };
}

/** Corners of a rectangle on the plane at distance 1 that holds all that the lens images. */
function outline(lens: Intrinsics): readonly (readonly [number, number])[] {
  let [left, top, right, bottom] = [0, 0, 0, 0];
  for (let i = 0; i <= SAMPLES; i += 1) {
    const u = (i / SAMPLES) * lens.widthPx - 0.5;
    const v = (i / SAMPLES) * lens.heightPx - 0.5;
    for (const [x, y] of [
      undistort(lens, u, -0.5),
      undistort(lens, u, lens.heightPx - 0.5),
      undistort(lens, -0.5, v),
      undistort(lens, lens.widthPx - 0.5, v),
    ]) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  const margin = (MARGIN * lens.widthPx) / lens.focalPx;
  return [
    [left - margin, top - margin],
    [right + margin, top - margin],
    [left - margin, bottom + margin],
    [right + margin, bottom + margin],
  ];
}
