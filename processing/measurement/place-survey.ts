import { DomainError } from "../../domain/errors.ts";
import type { Ring } from "../../domain/geofence.ts";
import type { ElevationGrid, GridFrame } from "../photogrammetry/elevation-grid.ts";
import type { SurveyOrigin } from "../photogrammetry/reconstruction.ts";
import type { PlanPolygon } from "../volume/polygon-weights.ts";
import { resampleSurface } from "../volume/resample-surface.ts";
import { betweenFrames, type Similarity } from "../volume/similarity.ts";
import { alignSurvey, FIRST, type SurveyAlignment } from "./align-survey.ts";
import type { StockpileDatum } from "./datum.ts";
import { datumGrid } from "./datum-grid.ts";
import type { Epoch } from "./epoch-file.ts";
import { gatherCells } from "./gather-cells.ts";
import type { MeasureSurfaceInput } from "./measure-surface.ts";
import { planOfRing } from "./plan-ring.ts";

/** A survey in the frame and on the grid that all epochs of its stockpile share. */
export interface PlacedSurvey {
  readonly origin: SurveyOrigin;
  readonly grid: GridFrame;
  /** On the grid; holes are holes. */
  readonly surface: ElevationGrid;
  readonly footprint: Ring;
  readonly polygon: PlanPolygon;
  readonly isProposed: boolean;
  /** From the survey's frame into this one. */
  readonly transform: Similarity;
  readonly alignment: SurveyAlignment;
}

/**
 * The first survey of a datum, in its own frame and, as near as can be, on its own cells.
 * @throws DomainError `IMAGES_UNUSABLE` when there is no footprint and no heap to propose one around
 */
export function placeFirst(input: MeasureSurfaceInput): PlacedSurvey {
  const { origin, dsm } = input.survey;
  const footprint = input.footprint;
  if (footprint === undefined) {
    throw new DomainError("IMAGES_UNUSABLE", "the stockpile has no footprint: draw one");
  }
  const polygon = planOfRing(footprint, origin);
  const grid = datumGrid(dsm, polygon);
  return {
    origin,
    grid,
    surface: gatherCells(dsm, grid),
    footprint,
    polygon,
    isProposed: false,
    transform: betweenFrames(origin, origin),
    alignment: FIRST,
  };
}

/** A later survey, brought onto an earlier epoch; `undefined`: by its positions alone. */
export function placeLater(
  input: MeasureSurfaceInput,
  { origin, grid }: StockpileDatum,
  earlier: Epoch | undefined,
): PlacedSurvey {
  const footprint = input.footprint;
  if (footprint === undefined) throw new Error("a datum without a footprint");
  const polygon = planOfRing(footprint, origin);
  const others = input.otherFootprints.map((ring) => planOfRing(ring, origin));
  const { transform, alignment } = alignSurvey(input.survey, origin, earlier, [polygon, ...others]);
  return {
    origin,
    grid,
    surface: resampleSurface(input.survey.dsm, grid, transform),
    footprint,
    polygon,
    isProposed: false,
    transform,
    alignment,
  };
}
