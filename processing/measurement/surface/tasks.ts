import { planOfRing } from "../../epoch/plan-ring.ts";
import { readBasisHead } from "../../epoch/survey-basis.ts";
import type { SurveyFacts } from "../../epoch/survey-facts.ts";
import type { GridFrame } from "../../grid/elevation-grid.ts";
import { BASE_BYTES, declareTask, LONG_MS, SHORT_MS } from "../../pool/task.ts";
import { datumGrid } from "./datum-grid.ts";
import type { MeasureSurfaceInput } from "./measure-input.ts";
import type { MeasureStoredInput } from "./measure-stored.ts";
import type { MeasuredSurface } from "./measure-surface.ts";
import type { SurfaceFigures } from "./measure-volume.ts";

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

/** Bytes a cell of a stored survey while it is unpacked: packed, heights, correlations, views, and those three shared. */
const UNPACKED_BYTES = 27;

export const OPEN_BASIS = declareTask<{ readonly basis: Uint8Array }, SurveyFacts>(
  import.meta.url,
  "open-basis",
  {
    timeMs: SHORT_MS,
    memoryBytes({ basis }) {
      const frame = readBasisHead(basis)?.frame;
      return BASE_BYTES + (frame === undefined ? 0 : cellsOf(frame) * UNPACKED_BYTES);
    },
  },
);

export const MEASURE_STORED = declareTask<MeasureStoredInput, SurfaceFigures>(
  import.meta.url,
  "measure-stored",
  {
    timeMs: SHORT_MS,
    memoryBytes({ survey, footprint }) {
      const { dsm, origin } = "facts" in survey ? survey.facts : survey.surface;
      const grid = datumGrid(dsm, planOfRing(footprint, origin));
      return 2 * BASE_BYTES + cellsOf(grid) * CELL_BYTES;
    },
  },
);

/** Memory that `measureSurface` takes beside its input at most, bytes. */
function measureBytes(input: MeasureSurfaceInput): number {
  const { survey, datum, footprint } = input;
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

const cellsOf = ({ width, height }: GridFrame): number => width * height;
