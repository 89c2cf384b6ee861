import { BASE_BYTES, declareTask, SHORT_MS } from "../pool/task.ts";
import type { ChangeInput } from "./draw-change.ts";
import type { HeightRange, TileInput } from "./draw-tile.ts";
import type { HeightRangeInput } from "./height-range.ts";
import type { PlacesInput } from "./sample-places.ts";

/**
 * Bytes that drawing takes beside its code: blocks that are kept, a window of 800 x 800 cells, pixels of 512 x 512
 * and their WebP.
 */
const DRAWING_BYTES = 40 * 1024 ** 2;

export const DRAW_TILE = declareTask<TileInput, Uint8Array>(import.meta.url, "draw-tile", {
  timeMs: SHORT_MS,
  memoryBytes: () => BASE_BYTES + DRAWING_BYTES,
});

export const DRAW_CHANGE = declareTask<ChangeInput, Uint8Array>(import.meta.url, "draw-change", {
  timeMs: SHORT_MS,
  // Cells and heights of two.
  memoryBytes: () => BASE_BYTES + 1.5 * DRAWING_BYTES,
});

export const HEIGHT_RANGE = declareTask<HeightRangeInput, HeightRange | undefined>(
  import.meta.url,
  "height-range",
  { timeMs: SHORT_MS, memoryBytes: () => BASE_BYTES + DRAWING_BYTES },
);

/** With the blocks that `api/site-surveys/stored-heights.ts` sends at once. */
export const SAMPLE_PLACES = declareTask<PlacesInput, Float64Array>(
  import.meta.url,
  "sample-places",
  { timeMs: SHORT_MS, memoryBytes: () => BASE_BYTES + DRAWING_BYTES },
);
