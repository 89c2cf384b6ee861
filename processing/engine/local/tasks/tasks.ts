import { HOUR_MS } from "../../../../domain/time.ts";
import type { GridFrame } from "../../../grid/elevation-grid.ts";
import { READ_BYTES, READ_MS } from "../../../images/files/image-limits.ts";
import type { DecodedLevel } from "../../../images/pixels/decoded-image.ts";
import type { WorkingImage } from "../../../images/pixels/working-image.ts";
import { tileBytes } from "../../../photogrammetry/dense/match-tile.ts";
import type { TileInput, TileResult } from "../../../photogrammetry/dense/tile.ts";
import type { Keypoints } from "../../../photogrammetry/features/keypoints.ts";
import type { Orientation } from "../../../photogrammetry/orient/block/orientation.ts";
import type { PhotometricGain } from "../../../photogrammetry/ortho/ortho-view.ts";
import { BASE_BYTES, declareTask, LONG_MS, SHORT_MS } from "../../../pool/task.ts";
import type { DecodedPixels, DecodeImageInput } from "./decode-image.task.ts";
import type { FindKeypointsInput } from "./find-keypoints.task.ts";
import type { MatchPairsInput, MatchPairsOutput } from "./match-pairs.task.ts";
import type { OrientTaskInput } from "./orient.task.ts";
import type { PaintOrthoInput } from "./paint-ortho.task.ts";
import type { SampleColoursInput, SampleColoursOutput } from "./sample-colours.task.ts";
import type { SolveGainsInput } from "./solve-gains.task.ts";
import type { StartSurfaceInput } from "./start-surface.task.ts";

/**
 * Of an adjustment, ms. 600 images take 22 s (bench/orientation.ts); three passes that all meet the limit of 150
 * iterations would take 10 min, and on a machine shared with as many others as it has cores 20. Less
 * would refuse those, more lets a thread that hangs keep its core longer.
 */
const ADJUST_MS = HOUR_MS;

/**
 * Bytes for a pixel of the working size while keypoints are searched: one octave's six blurred and five
 * difference images in 32 bits, gradients, and a third of all that for the smaller octaves.
 */
const KEYPOINT_BYTES_PER_PX = 80;
/** Bytes for an observation of the adjustment: residuals, derivatives, and blocks of the equations. */
const ORIENT_BYTES_PER_KEYPOINT = 600;
/** Parts of images over one region of an orthophoto: forty views of 300 x 300 pixels with their depths. */
const PARTS_BYTES = 40 * 300 ** 2 * 7;

/** A decoder may hold the whole file's pixels, and the result. */
const decodingBytes = ({ filePx, widthPx, heightPx }: WorkingImage): number =>
  Math.min(READ_BYTES, BASE_BYTES + filePx * 4) + widthPx * heightPx * 3;

const cellsOf = ({ width, height }: Pick<GridFrame, "width" | "height">): number => width * height;

export const FIND_KEYPOINTS = declareTask<FindKeypointsInput, Keypoints>(
  import.meta.url,
  "find-keypoints",
  {
    timeMs: SHORT_MS,
    memoryBytes: ({ image }) =>
      decodingBytes(image) + image.widthPx * image.heightPx * KEYPOINT_BYTES_PER_PX,
  },
);

export const MATCH_PAIRS = declareTask<MatchPairsInput, MatchPairsOutput>(
  import.meta.url,
  "match-pairs",
  { timeMs: SHORT_MS, memoryBytes: () => 2 * BASE_BYTES },
);

export const ORIENT = declareTask<OrientTaskInput, Orientation>(import.meta.url, "orient", {
  timeMs: ADJUST_MS,
  memoryBytes: ({ keypoints }) =>
    2 * BASE_BYTES +
    keypoints.reduce((sum, { count }) => sum + count, 0) * ORIENT_BYTES_PER_KEYPOINT,
});

export const START_SURFACE = declareTask<StartSurfaceInput, Float32Array>(
  import.meta.url,
  "start-surface",
  {
    timeMs: LONG_MS,
    memoryBytes: ({ points, frame }) => BASE_BYTES + points.byteLength * 16 + cellsOf(frame) * 4,
  },
);

export const DECODE_IMAGE = declareTask<DecodeImageInput, DecodedPixels>(
  import.meta.url,
  "decode-image",
  {
    timeMs: READ_MS,
    // Beside the colours their luminance, its pyramid, and a row of tiles of either.
    memoryBytes: ({ image }) => decodingBytes(image) + image.widthPx * image.heightPx * 3,
  },
);

export const MATCH_TILE = declareTask<TileInput<DecodedLevel>, TileResult>(
  import.meta.url,
  "match-tile",
  { timeMs: SHORT_MS, memoryBytes: (tile) => BASE_BYTES + tileBytes(tile) },
);

export const SAMPLE_COLOURS = declareTask<SampleColoursInput, SampleColoursOutput>(
  import.meta.url,
  "sample-colours",
  {
    timeMs: SHORT_MS,
    // Colours; for four pixels each a number of single precision in the kernel's three buffers, the result and its file.
    memoryBytes: ({ image }) => BASE_BYTES + cellsOf(image) * 8,
  },
);

export const SOLVE_GAINS = declareTask<SolveGainsInput, readonly PhotometricGain[]>(
  import.meta.url,
  "solve-gains",
  {
    timeMs: LONG_MS,
    memoryBytes: ({ samples }) =>
      BASE_BYTES + samples.reduce((sum, { radius2 }) => sum + radius2.length * 64, 0),
  },
);

export const PAINT_ORTHO = declareTask<PaintOrthoInput, null>(import.meta.url, "paint-ortho", {
  timeMs: LONG_MS,
  memoryBytes: () => 2 * BASE_BYTES + PARTS_BYTES,
});
