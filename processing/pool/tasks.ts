import type { ImageFile } from "../engine/port/engine.ts";
import type { ExportFiles } from "../engine/products/export-files.ts";
import type { ModelFiles } from "../engine/products/model-files.ts";
import type { OrthoFiles } from "../engine/products/ortho-files.ts";
import type { ExportInput, ProductInput } from "../engine/products/product-input.ts";
import type { ReportFiles } from "../engine/products/report-files.ts";
import type { SurfaceFiles } from "../engine/products/surface-files.ts";
import type { GivenRasters, ReadRasters } from "../engine/raster/read-rasters.ts";
import { READ_BYTES, READ_MS } from "../images/files/image-limits.ts";
import type { DecodedLevel } from "../images/pixels/decoded-image.ts";
import type { WorkingImage } from "../images/pixels/working-image.ts";
import { measureBytes } from "../measurement/surface/measure-bytes.ts";
import type { MeasureSurfaceInput } from "../measurement/surface/measure-input.ts";
import type { MeasuredSurface } from "../measurement/surface/measure-surface.ts";
import type { SurveyImage } from "../photogrammetry/camera/survey-image.ts";
import { tileBytes } from "../photogrammetry/dense/match-tile.ts";
import type { TileInput, TileResult } from "../photogrammetry/dense/tile.ts";
import type { Keypoints } from "../photogrammetry/features/keypoints.ts";
import type { Orientation } from "../photogrammetry/orient/block/orientation.ts";
import type { PhotometricGain } from "../photogrammetry/ortho/ortho-view.ts";
import type { ReadView, ReadViewInput } from "../progress/camera/features/read-view.ts";
import type {
  ViewEstimationInput,
  ViewsEstimate,
} from "../progress/camera/model/estimate-by-views.ts";
import type { DrawViewInput } from "../progress/camera/view/draw-view.ts";
import type { ReadReferenceInput, ReferenceView } from "../progress/camera/view/read-reference.ts";
import type { AnalysedFlight } from "../progress/flight/analysis/analyse-flight.ts";
import { flightBytes } from "../progress/flight/input/flight-bytes.ts";
import type { FlightInput } from "../progress/flight/input/flight-input.ts";
import type { ZonePlanFiles, ZonePlanInput } from "../progress/report/zone-plan/zone-plan.ts";
import type { DecodeImageInput } from "../workers/decode-image.task.ts";
import type { FindKeypointsInput } from "../workers/find-keypoints.task.ts";
import type { MatchPairsInput, MatchPairsOutput } from "../workers/match-pairs.task.ts";
import type { OrientTaskInput } from "../workers/orient.task.ts";
import type { PaintOrthoInput } from "../workers/paint-ortho.task.ts";
import type { SampleColoursInput, SampleColoursOutput } from "../workers/sample-colours.task.ts";
import type { SolveGainsInput } from "../workers/solve-gains.task.ts";
import type { StartSurfaceInput } from "../workers/start-surface.task.ts";
import type { TaskTable } from "./pool.ts";

/** Every task of image processing: the stem of its file in `../workers` to its input and output. */
export interface SurveyTasks {
  "read-image": { readonly input: ImageFile; readonly output: SurveyImage };
  "find-keypoints": { readonly input: FindKeypointsInput; readonly output: Keypoints };
  "match-pairs": { readonly input: MatchPairsInput; readonly output: MatchPairsOutput };
  orient: { readonly input: OrientTaskInput; readonly output: Orientation };
  "start-surface": { readonly input: StartSurfaceInput; readonly output: Float32Array };
  "decode-image": { readonly input: DecodeImageInput; readonly output: readonly DecodedLevel[] };
  "match-tile": { readonly input: TileInput<DecodedLevel>; readonly output: TileResult };
  "sample-colours": { readonly input: SampleColoursInput; readonly output: SampleColoursOutput };
  "solve-gains": { readonly input: SolveGainsInput; readonly output: readonly PhotometricGain[] };
  "paint-ortho": { readonly input: PaintOrthoInput; readonly output: null };
  "read-rasters": { readonly input: GivenRasters; readonly output: ReadRasters };
  "write-surface": { readonly input: ProductInput; readonly output: SurfaceFiles };
  "write-ortho": { readonly input: ProductInput; readonly output: OrthoFiles };
  "write-model": { readonly input: ProductInput; readonly output: ModelFiles };
  "write-report": { readonly input: ProductInput; readonly output: ReportFiles };
  "write-cameras": { readonly input: ProductInput; readonly output: ExportFiles };
  "write-exports": { readonly input: ExportInput; readonly output: ExportFiles };
  "measure-surface": { readonly input: MeasureSurfaceInput; readonly output: MeasuredSurface };
  "analyse-flight": { readonly input: FlightInput; readonly output: AnalysedFlight };
  "draw-zone-plan": { readonly input: ZonePlanInput; readonly output: ZonePlanFiles };
  "read-reference": { readonly input: ReadReferenceInput; readonly output: ReferenceView };
  "read-view": { readonly input: ReadViewInput; readonly output: ReadView };
  "judge-zone": { readonly input: ViewEstimationInput; readonly output: ViewsEstimate };
  "draw-view": { readonly input: DrawViewInput; readonly output: Uint8Array };
}

const MIB = 1024 ** 2;
/** Longest run of a short task, ms: a hundred times what it takes on two busy cores. Chosen. */
const SHORT_MS = 60_000;
/** Of a task that grows with the survey. Chosen. */
const LONG_MS = 900_000;
/**
 * Of an adjustment. 600 images take 22 s (bench/orientation.ts); three passes that all meet the limit of 150
 * iterations would take 10 min, and on a machine shared with as many others as it has cores 20. Less
 * would refuse those, more lets a thread that hangs keep its core longer.
 */
const ADJUST_MS = 3_600_000;
/** What a task takes beside its pixels and grids: code, WebAssembly, messages. Chosen. */
const BASE_BYTES = 24 * MIB;

/**
 * Bytes for a pixel of the working size while keypoints are searched: one octave's six blurred and five
 * difference images in 32 bits, gradients, and a third of all that for the smaller octaves.
 */
const KEYPOINT_BYTES_PER_PX = 80;
/** Bytes for an observation of the adjustment: residuals, derivatives, and blocks of the equations. */
const ORIENT_BYTES_PER_KEYPOINT = 600;
/** Bytes for a cell while a product is made of it: grid, map raster, picture, file. */
const PRODUCT_BYTES_PER_CELL = 24;

/** A decoder may hold the whole file's pixels, and the result. */
const decodingBytes = ({ filePx, widthPx, heightPx }: WorkingImage): number =>
  Math.min(READ_BYTES, BASE_BYTES + filePx * 4) + widthPx * heightPx * 3;

/** Parts of images over one region of an orthophoto: forty views of 300 x 300 pixels with their depths. */
const PARTS_BYTES = 40 * 300 ** 2 * 7;

const cellsOf = ({ width, height }: { width: number; height: number }): number => width * height;

const productBytes = ({ dsm, ortho }: ProductInput): number =>
  2 * BASE_BYTES +
  (cellsOf(dsm) + (ortho === undefined ? 0 : cellsOf(ortho))) * PRODUCT_BYTES_PER_CELL;

/** Bytes for a cell of the surface while terrain, contours and points are made, and for a mark of a tie point as text. */
const EXPORT_BYTES_PER_CELL = 60;
const EXPORT_BYTES_PER_MARK = 200;

const exportBytes = ({ dsm }: ProductInput): number =>
  2 * BASE_BYTES + cellsOf(dsm) * EXPORT_BYTES_PER_CELL;

const cameraBytes = ({ reconstruction }: ProductInput): number =>
  2 * BASE_BYTES + (reconstruction?.observations.point.length ?? 0) * EXPORT_BYTES_PER_MARK;

/** Most cells of a raster that is read: see `../engine/raster/read-surface.ts`. */
const RASTER_BYTES = 700 * MIB;

/** The largest preview of an orthophoto, in its decoder and as pixels. */
const GROUND_BYTES = 3 * 2_048 ** 2 * 4;

/** A reference view of a fixed camera: edges, weights and luminance of 512 x 256, and blocks of it. */
const REFERENCE_BYTES = 3 * MIB;

/** Limits of time and memory by task. Memory is an upper bound, outside of the shared inputs. */
export const TASKS: TaskTable<SurveyTasks> = {
  "read-image": { timeMs: READ_MS, memoryBytes: () => READ_BYTES },
  "find-keypoints": {
    timeMs: SHORT_MS,
    memoryBytes: ({ image }) =>
      decodingBytes(image) + image.widthPx * image.heightPx * KEYPOINT_BYTES_PER_PX,
  },
  "match-pairs": { timeMs: SHORT_MS, memoryBytes: () => 2 * BASE_BYTES },
  orient: {
    timeMs: ADJUST_MS,
    memoryBytes: ({ keypoints }) =>
      2 * BASE_BYTES +
      keypoints.reduce((sum, { count }) => sum + count, 0) * ORIENT_BYTES_PER_KEYPOINT,
  },
  "start-surface": {
    timeMs: LONG_MS,
    memoryBytes: ({ points, frame }) => BASE_BYTES + points.byteLength * 16 + cellsOf(frame) * 4,
  },
  "decode-image": { timeMs: READ_MS, memoryBytes: ({ image }) => decodingBytes(image) },
  "match-tile": { timeMs: SHORT_MS, memoryBytes: (tile) => BASE_BYTES + tileBytes(tile) },
  "sample-colours": {
    timeMs: SHORT_MS,
    // Colours, and single precision of depth buffers in two stages and of their file for four pixels each.
    memoryBytes: ({ image }) => BASE_BYTES + cellsOf(image) * 7,
  },
  "solve-gains": {
    timeMs: LONG_MS,
    memoryBytes: ({ samples }) =>
      BASE_BYTES + samples.reduce((sum, { radius2 }) => sum + radius2.length * 64, 0),
  },
  "paint-ortho": { timeMs: LONG_MS, memoryBytes: () => 2 * BASE_BYTES + PARTS_BYTES },
  "read-rasters": { timeMs: LONG_MS, memoryBytes: () => RASTER_BYTES },
  "write-surface": { timeMs: LONG_MS, memoryBytes: productBytes },
  "write-ortho": { timeMs: LONG_MS, memoryBytes: productBytes },
  "write-model": { timeMs: LONG_MS, memoryBytes: productBytes },
  "write-report": { timeMs: LONG_MS, memoryBytes: productBytes },
  "write-cameras": { timeMs: LONG_MS, memoryBytes: cameraBytes },
  "write-exports": { timeMs: LONG_MS, memoryBytes: exportBytes },
  "measure-surface": {
    timeMs: LONG_MS,
    memoryBytes: (input) => 2 * BASE_BYTES + measureBytes(input),
  },
  "analyse-flight": {
    timeMs: LONG_MS,
    memoryBytes: (input) => 2 * BASE_BYTES + flightBytes(input),
  },
  "draw-zone-plan": {
    // A hundred outlines of a thousand corners each take minutes.
    timeMs: LONG_MS,
    memoryBytes: ({ ground }) => 2 * BASE_BYTES + (ground === undefined ? 0 : GROUND_BYTES),
  },
  "read-reference": { timeMs: READ_MS, memoryBytes: () => READ_BYTES },
  "read-view": {
    timeMs: READ_MS,
    // The network for zones works (35 MB, and its code) after the decoder has given back what it took.
    memoryBytes: ({ candidates }) => READ_BYTES + candidates.length * REFERENCE_BYTES,
  },
  "judge-zone": { timeMs: SHORT_MS, memoryBytes: () => 2 * BASE_BYTES },
  "draw-view": { timeMs: SHORT_MS, memoryBytes: () => 2 * BASE_BYTES },
};
