import type { GridFrame } from "../../grid/elevation-grid.ts";
import { BASE_BYTES, declareTask, LONG_MS } from "../../pool/task.ts";
import type { ExportFiles } from "./export-files.ts";
import type { ModelFiles } from "./model-files.ts";
import type { OrthoFiles } from "./ortho-files.ts";
import type { ExportInput, ProductInput } from "./product-input.ts";
import type { ReportFiles } from "./report-files.ts";
import type { SurfaceFiles } from "./surface-files.ts";

/** Bytes for a cell while a product is made of it: grid, map raster, picture, file. */
const PRODUCT_BYTES_PER_CELL = 24;
/** Bytes for a cell of the surface while terrain, contours and points are made, and for a mark of a tie point as text. */
const EXPORT_BYTES_PER_CELL = 60;
const EXPORT_BYTES_PER_MARK = 200;

const cellsOf = ({ width, height }: GridFrame): number => width * height;

const productBytes = ({ dsm, ortho }: ProductInput): number =>
  2 * BASE_BYTES +
  (cellsOf(dsm) + (ortho === undefined ? 0 : cellsOf(ortho))) * PRODUCT_BYTES_PER_CELL;

const exportBytes = ({ dsm }: ProductInput): number =>
  2 * BASE_BYTES + cellsOf(dsm) * EXPORT_BYTES_PER_CELL;

const cameraBytes = ({ reconstruction }: ProductInput): number =>
  2 * BASE_BYTES + (reconstruction?.observations.point.length ?? 0) * EXPORT_BYTES_PER_MARK;

const PRODUCT = { timeMs: LONG_MS, memoryBytes: productBytes } as const;

export const WRITE_SURFACE = declareTask<ProductInput, SurfaceFiles>(
  import.meta.url,
  "write-surface",
  PRODUCT,
);

export const WRITE_ORTHO = declareTask<ProductInput, OrthoFiles>(
  import.meta.url,
  "write-ortho",
  PRODUCT,
);

export const WRITE_MODEL = declareTask<ProductInput, ModelFiles>(
  import.meta.url,
  "write-model",
  PRODUCT,
);

export const WRITE_REPORT = declareTask<ProductInput, ReportFiles>(
  import.meta.url,
  "write-report",
  PRODUCT,
);

export const WRITE_CAMERAS = declareTask<ProductInput, ExportFiles>(
  import.meta.url,
  "write-cameras",
  { timeMs: LONG_MS, memoryBytes: cameraBytes },
);

export const WRITE_EXPORTS = declareTask<ExportInput, ExportFiles>(
  import.meta.url,
  "write-exports",
  { timeMs: LONG_MS, memoryBytes: exportBytes },
);
