import type { GridFrame } from "../../grid/elevation-grid.ts";
import type { Intrinsics, Pose } from "../camera/camera.ts";
import type { GrayImage } from "./image-pyramid.ts";

/** Size of an image, pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** What of an image is at hand: all of it, or the pixels of the window that shows the tile. */
export interface TileImage extends GrayImage {
  /** Where in the image `pixels` lie; `undefined`: they are all of it. */
  readonly window?: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
}

/**
 * An image that a tile is matched in, at the level's size. `Image` is how its pixels are come by: until a task
 * reads them, they may be a place in a file.
 */
export interface TileView<Image extends ImageSize = TileImage> {
  readonly pose: Pose;
  /** Of the image as it is here. */
  readonly lens: Intrinsics;
  readonly image: Image;
}

/** All that {@link matchTile} needs; plain data, so that it can go to another thread. */
export interface TileInput<Image extends ImageSize = TileImage> {
  /** The tile's cells with their margin; the width is a multiple of 4. */
  readonly frame: GridFrame;
  /** Where in the frame the cells lie that are asked for. */
  readonly inner: {
    readonly column: number;
    readonly row: number;
    readonly width: number;
    readonly height: number;
  };
  /** The surface so far, ENU metres, length `frame.width * frame.height`; no NaN. */
  readonly surface: Float32Array;
  /** At most 8, best first. */
  readonly views: readonly TileView<Image>[];
  readonly pass: MatchPass;
}

/** How cells are matched once. */
export interface MatchPass {
  /** `2 * steps + 1` heights are tried, `stepM` apart, around the surface so far. */
  readonly stepM: number;
  readonly steps: number;
  /** Half the edge of the correlation window, cells, 1 to 3: higher is calmer and rounds edges off. */
  readonly radius: number;
  /** Half the edge of the median's window, cells; 0 = none. */
  readonly medianRadius: number;
  /** Cells that fewer views hold get no height. */
  readonly minViews: number;
  /** Whether a cell whose best height is the highest or lowest one tried gets none. */
  readonly rejectsEnds: boolean;
}

/** What became of the inner cells; length `inner.width * inner.height`, north row first. */
export interface TileResult {
  /** ENU metres; NaN where the images gave no answer. */
  readonly elevationM: Float32Array;
  /** Mean of the best correlations, -0.2 to 1; 0 where no two views see the cell. */
  readonly score: Float32Array;
  /** Views whose image holds the cell's whole window at all heights tried. */
  readonly views: Uint8Array;
}
