import { rotate } from "../../geometry/rotation.ts";
import type { GridFrame } from "../../grid/elevation-grid.ts";
import { type Projection, project } from "../camera/camera.ts";
import type { ImageSize, TileView } from "./tile.ts";

/** Where in an image a tile lies, pixels. */
export interface PieceBounds {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The part of an image that shows a tile. */
export interface ImagePiece extends PieceBounds {
  /** Length `width * height`, row-major. */
  readonly pixels: Uint8Array;
  /** Mean grey level. */
  readonly mean: number;
}

/** Pixels beside what the samples of the tile need: the piece's outline between them is curved. */
const BORDER_PX = 4;
/** Cells from one sample of the tile to the next. */
const SAMPLE_CELLS = 8;

/** What the view shows of the tile at the surface and up to `reachM` above and below it. */
export function pieceBounds(
  { lens, pose, image }: TileView<ImageSize>,
  frame: GridFrame,
  surface: Float32Array,
  reachM: number,
): PieceBounds {
  let [left, top, right, bottom] = [image.width, image.height, 0, 0];
  const at: Projection = { u: 0, v: 0, depth: 0 };
  for (const row of samples(frame.height)) {
    for (const column of samples(frame.width)) {
      const x = frame.westM + (column + 0.5) * frame.cellM;
      const y = frame.northM - (row + 0.5) * frame.cellM;
      const z = surface[row * frame.width + column] ?? 0;
      for (const dz of [-reachM, 0, reachM]) {
        if (!project(lens, pose, [x, y, z + dz], at)) continue;
        left = Math.min(left, at.u);
        right = Math.max(right, at.u);
        top = Math.min(top, at.v);
        bottom = Math.max(bottom, at.v);
      }
    }
  }
  left = Math.min(image.width - 2, Math.max(0, Math.floor(left) - BORDER_PX));
  top = Math.min(image.height - 2, Math.max(0, Math.floor(top) - BORDER_PX));
  const width = Math.max(2, Math.min(image.width, Math.ceil(right) + BORDER_PX) - left);
  const height = Math.max(2, Math.min(image.height, Math.ceil(bottom) + BORDER_PX) - top);
  return { left, top, width, height };
}

/** {@link pieceBounds} of the view's image: cut out, or what is at hand of it. */
export function cutPiece(
  view: TileView,
  frame: GridFrame,
  surface: Float32Array,
  reachM: number,
): ImagePiece {
  const { image } = view;
  const bounds = image.window ?? pieceBounds(view, frame, surface, reachM);
  const { left, top, width, height } = bounds;
  let pixels = image.pixels;
  if (image.window === undefined) {
    pixels = new Uint8Array(width * height);
    for (let row = 0; row < height; row += 1) {
      const from = (top + row) * image.width + left;
      pixels.set(image.pixels.subarray(from, from + width), row * width);
    }
  }
  let sum = 0;
  for (let i = 0; i < pixels.length; i += 1) sum += pixels[i] ?? 0;
  return { left, top, width, height, pixels, mean: Math.round(sum / pixels.length) };
}

function samples(cells: number): readonly number[] {
  const list: number[] = [];
  for (let i = 0; i < cells - 1; i += SAMPLE_CELLS) list.push(i);
  list.push(cells - 1);
  return list;
}

/**
 * The camera as the kernel takes it (`wasm/assembly/dense.ts`): the tile's first cell at the height
 * `zeroM` and the steps east, south and up, all in the camera's axes; then the lens for the piece.
 */
export function cameraBlock(
  { lens, pose }: TileView,
  frame: GridFrame,
  zeroM: number,
  piece: ImagePiece,
): Float32Array {
  const { rotation: r, centre } = pose;
  const first = rotate(r, [
    frame.westM + 0.5 * frame.cellM - centre[0],
    frame.northM - 0.5 * frame.cellM - centre[1],
    zeroM - centre[2],
  ]);
  return Float32Array.of(
    ...first,
    ...rotate(r, [frame.cellM, 0, 0]),
    ...rotate(r, [0, -frame.cellM, 0]),
    ...rotate(r, [0, 0, 1]),
    lens.focalPx,
    lens.cxPx - piece.left,
    lens.cyPx - piece.top,
    lens.k1,
    lens.k2,
    lens.p1,
    lens.p2,
  );
}
