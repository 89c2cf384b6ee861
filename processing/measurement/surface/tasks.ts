import { planOfRing } from "../../epoch/plan-ring.ts";
import type { GridFrame } from "../../grid/elevation-grid.ts";
import { BASE_BYTES, declareTask, LONG_MS } from "../../pool/task.ts";
import { datumGrid } from "./datum-grid.ts";
import type { MeasureSurfaceInput } from "./measure-input.ts";
import type { MeasuredSurface } from "./measure-surface.ts";

/**
 * Bytes a cell of the datum's grid: four surfaces of 9 (measured, filled, of the epoch before and of the
 * ground), flags, and an epoch's 6 before and 6 after packing with what packs them.
 */
const CELL_BYTES = 64;
/** Bytes a cell of a survey while a heap is searched for in it. */
const SEARCH_BYTES = 48;
/** Three pictures of at most 1,000 x 1,000 pixels, one after the other, with what they are drawn from. */
const PICTURE_BYTES = 96 * 1024 ** 2;

export const MEASURE_SURFACE = declareTask<MeasureSurfaceInput, MeasuredSurface>(
  import.meta.url,
  "measure-surface",
  { timeMs: LONG_MS, memoryBytes: (input) => 2 * BASE_BYTES + measureBytes(input) },
);

/** Memory that `measureSurface` takes beside its input at most, bytes. */
function measureBytes(input: MeasureSurfaceInput): number {
  const { survey, datum, footprint } = input;
  const cellsOf = ({ width, height }: GridFrame) => width * height;
  if (footprint === undefined) {
    const { dsm } = survey;
    const right = dsm.westM + dsm.width * dsm.cellM;
    const bottom = dsm.northM - dsm.height * dsm.cellM;
    // A footprint as large as the survey is the largest that can be proposed.
    const grid = datumGrid(dsm, [
      [dsm.westM, dsm.northM],
      [right, bottom],
    ]);
    return cellsOf(dsm) * SEARCH_BYTES + cellsOf(grid) * CELL_BYTES + PICTURE_BYTES;
  }
  const grid = datum?.grid ?? datumGrid(survey.dsm, planOfRing(footprint, survey.origin));
  return cellsOf(grid) * CELL_BYTES + PICTURE_BYTES;
}
