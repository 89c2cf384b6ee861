import { BASE_BYTES, declareTask, LONG_MS } from "../../pool/task.ts";
import { measureBytes } from "./measure-bytes.ts";
import type { MeasureSurfaceInput } from "./measure-input.ts";
import type { MeasuredSurface } from "./measure-surface.ts";

export const MEASURE_SURFACE = declareTask<MeasureSurfaceInput, MeasuredSurface>(
  import.meta.url,
  "measure-surface",
  { timeMs: LONG_MS, memoryBytes: (input) => 2 * BASE_BYTES + measureBytes(input) },
);
