import { declareTask, LONG_MS } from "../../pool/task.ts";
import type { GivenRasters, ReadRasters } from "./read-rasters.ts";

/** Most cells of a raster that is read: see `read-surface.ts`. */
const RASTER_BYTES = 700 * 1024 ** 2;

export const READ_RASTERS = declareTask<GivenRasters, ReadRasters>(
  import.meta.url,
  "read-rasters",
  { timeMs: LONG_MS, memoryBytes: () => RASTER_BYTES },
);
