import {
  type AlignedSurvey,
  alignSurvey,
  FIRST,
  type FixedEpoch,
  type SurveyAlignment,
} from "../../../epoch/align-survey.ts";
import type { Epoch } from "../../../epoch/epoch-file.ts";
import type { SurveyFacts } from "../../../epoch/survey-facts.ts";
import type { SurveyOrigin } from "../../../geometry/enu.ts";
import { applySimilarity, betweenFrames, type Similarity } from "../../../geometry/similarity.ts";
import type { ElevationGrid } from "../../../grid/elevation-grid.ts";
import { gatherCells } from "../../../grid/gather-cells.ts";
import type { PlanPolygon } from "../../../grid/polygon-weights.ts";
import { resampleSurface } from "../../../volume/alignment/resample-surface.ts";
import { boxAround, boxOfGrid, gridOn, type Lattice } from "../cells/lattice.ts";
import type { FlightDatum } from "../input/flight-datum.ts";
import { MOST_SURFACE_CELLS } from "../input/flight-limits.ts";

/** A flight in the frame that all flights of its project share. */
export interface PlacedFlight {
  readonly origin: SurveyOrigin;
  readonly lattice: Lattice;
  /** On the lattice; holes are holes. */
  readonly surface: ElevationGrid;
  /** From the survey's frame into this one. */
  readonly transform: Similarity;
  readonly alignment: SurveyAlignment;
}

/** The first flight of a project: in its own frame, and as near as can be on its own cells. */
export function placeFirst({ dsm, origin }: SurveyFacts): PlacedFlight {
  const { westM, northM, cellM } = dsm;
  const lattice = { westM, northM, cellM };
  return {
    origin,
    lattice,
    surface: gatherCells(dsm, gridOn(lattice, boxOfGrid(dsm), MOST_SURFACE_CELLS)),
    transform: betweenFrames(origin, origin),
    alignment: FIRST,
  };
}

/**
 * A later flight, brought onto earlier ones: the first that ties it counts.
 * @param earlier epochs in the frame of the datum, the one to be preferred first; where there is none, or
 * none can be read, positions alone count
 * @param changing polygons within which the surface is expected to change
 * @returns `undefined` when nothing ties it to any
 */
export function placeLater(
  survey: SurveyFacts,
  { origin, georeferencing, lattice }: Pick<FlightDatum, "origin" | "georeferencing" | "lattice">,
  earlier: readonly Epoch[],
  changing: readonly PlanPolygon[],
): PlacedFlight | undefined {
  // Cameras of all of them tie it, for all are in one frame.
  const cameras = earlier.flatMap((epoch) => epoch.cameras);
  const fixed: Omit<FixedEpoch, "surface"> = { origin, georeferencing, cameras };
  const surfaces = earlier.length === 0 ? [undefined] : earlier.map((epoch) => epoch.surface);
  let aligned: AlignedSurvey | undefined;
  for (const surface of surfaces) {
    aligned = alignSurvey(survey, { ...fixed, surface }, changing);
    if (aligned !== undefined) break;
  }
  if (aligned === undefined) return undefined;
  const { transform } = aligned;
  const { westM, southM, eastM, northM } = boxOfGrid(survey.dsm);
  const heightM = survey.dsm.elevationM.find((z) => !Number.isNaN(z)) ?? 0;
  const corners = [westM, eastM].flatMap((x) =>
    [southM, northM].map((y) => {
      const [cornerX, cornerY] = applySimilarity(transform, [x, y, heightM]);
      return [cornerX, cornerY] as const;
    }),
  );
  const grid = gridOn(lattice, boxAround(corners), MOST_SURFACE_CELLS);
  const dsm = coarsened(survey.dsm, grid.cellM);
  return { origin, lattice, ...aligned, surface: resampleSurface(dsm, grid, transform) };
}

/** Cells of a surface may be smaller than those they are brought onto by this, before they are gathered. */
const MOST_FINER = 1.5;

/** A surface in cells nearly as large as asked for: means, so that none of its noise is picked at random. */
function coarsened(dsm: ElevationGrid, cellM: number): ElevationGrid {
  if (dsm.cellM * MOST_FINER > cellM) return dsm;
  const grid = gridOn(dsm, boxOfGrid(dsm), Number.POSITIVE_INFINITY, cellM / MOST_FINER);
  return gatherCells(dsm, grid);
}
