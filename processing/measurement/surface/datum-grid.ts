import type { GridFrame } from "../../grid/elevation-grid.ts";
import type { PlanPolygon } from "../../grid/polygon-weights.ts";

/**
 * Ground around the footprint that the grid takes in, metres: the footprint's longer side, within these
 * bounds. More of it shows later epochs better where nothing changed, and takes more memory and time.
 */
const LEAST_MARGIN_M = 12;
const MOST_MARGIN_M = 60;
/**
 * Cells of a grid at most; beyond it cells are multiples of the survey's. 4 million take 50 MB a surface. More
 * takes more memory, fewer measures large places in coarser cells.
 */
const MOST_CELLS = 4_000_000;

/**
 * The grid that all epochs of a footprint share: its cells are those of the first survey, so that the first
 * epoch is not resampled, or whole multiples of them. It may reach beyond that survey.
 */
export function datumGrid(survey: GridFrame, footprint: PlanPolygon): GridFrame {
  const [west, east] = rangeOf(footprint.map(([x]) => x));
  const [south, north] = rangeOf(footprint.map(([, y]) => y));
  const longerM = Math.max(east - west, north - south);
  const marginM = Math.min(MOST_MARGIN_M, Math.max(LEAST_MARGIN_M, longerM));
  for (let multiple = 1; ; multiple += 1) {
    const cellM = survey.cellM * multiple;
    const firstColumn = Math.floor((west - marginM - survey.westM) / cellM);
    const firstRow = Math.floor((survey.northM - north - marginM) / cellM);
    const width = Math.ceil((east + marginM - survey.westM) / cellM) - firstColumn;
    const height = Math.ceil((survey.northM - south + marginM) / cellM) - firstRow;
    if (width * height > MOST_CELLS) continue;
    return {
      westM: survey.westM + firstColumn * cellM,
      northM: survey.northM - firstRow * cellM,
      cellM,
      width,
      height,
    };
  }
}

function rangeOf(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values), Math.max(...values)];
}
