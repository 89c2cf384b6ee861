import { DomainError } from "../../../domain/errors.ts";
import type { Ring } from "../../../domain/geometry/geofence.ts";
import { alignSurvey, FIRST, isPlaced, type SurveyAlignment } from "../../epoch/align-survey.ts";
import type { Epoch } from "../../epoch/epoch-file.ts";
import { planOfRing } from "../../epoch/plan-ring.ts";
import type { SurveyFacts } from "../../epoch/survey-facts.ts";
import { createEnuFrame, type SurveyOrigin } from "../../geometry/enu.ts";
import { betweenFrames, type Similarity } from "../../geometry/similarity.ts";
import type { ElevationGrid, GridFrame } from "../../grid/elevation-grid.ts";
import { gatherCells } from "../../grid/gather-cells.ts";
import type { PlanPolygon } from "../../grid/polygon-weights.ts";
import { resampleSurface } from "../../volume/alignment/resample-surface.ts";
import { type FootprintShift, placeFootprint } from "../../volume/footprint/place-footprint.ts";
import type { StockpileDatum } from "./datum.ts";
import { datumGrid } from "./datum-grid.ts";
import type { MeasureSurfaceInput } from "./measure-input.ts";
import { proposeRing } from "./propose-ring.ts";

/** A survey in the frame and on the grid that all epochs of its stockpile share. */
export interface PlacedSurvey {
  readonly origin: SurveyOrigin;
  readonly grid: GridFrame;
  /** On the grid; holes are holes. */
  readonly surface: ElevationGrid;
  readonly footprint: Ring;
  readonly polygon: PlanPolygon;
  readonly isProposed: boolean;
  /** How far the footprint was moved onto its heap, because the survey lies beside the map; east, north. */
  readonly movedM: FootprintShift;
  /** From the survey's frame into this one. */
  readonly transform: Similarity;
  readonly alignment: SurveyAlignment;
}

/**
 * How far consumer GPS places a survey off, metres, one standard deviation by axis: 1 to 4 m are usual
 * (docs/photogrammetry.md#simulated-flights).
 */
const GPS_PLAN_M = 2;

/**
 * The first survey of a datum, in its own frame and, as near as can be, on its own cells; one that consumer
 * GPS placed is moved in plan as a whole, so that the footprint lies on its heap. Where the base is a survey
 * of the empty place, this one is brought onto it.
 * @throws DomainError `IMAGES_UNUSABLE` when there is no footprint and no heap to propose one around, or
 * when nothing ties the survey to the one that is the base
 */
export function placeFirst(input: MeasureSurfaceInput): PlacedSurvey {
  const { survey, ground } = input;
  const { dsm } = survey;
  const isProposed = input.footprint === undefined;
  const footprint = input.footprint ?? proposeRing(survey, input.otherFootprints);
  const isMovable = !isProposed && input.isDrawnOnSurvey !== true;
  const isLoose = isMovable && ground === undefined && !isPlaced(survey.georeferencing);
  const movedM = isLoose ? shiftOf(survey, footprint) : NOT_MOVED;
  // The frame is placed so that the footprint, as it was drawn, lies on its heap.
  const origin = createEnuFrame(survey.origin).toGeodetic([-movedM[0], -movedM[1], 0]);
  const polygon = planOfRing(footprint, origin);
  const grid = datumGrid(dsm, polygon);
  const placed = { origin, grid, footprint, polygon, isProposed, movedM };
  if (ground === undefined) {
    const transform = betweenFrames(origin, origin);
    return { ...placed, surface: gatherCells(dsm, grid), transform, alignment: FIRST };
  }
  const surface = resampleSurface(ground.dsm, grid, betweenFrames(ground.origin, origin));
  const aligned = alignSurvey(survey, { origin, georeferencing: "given", surface, cameras: [] }, [
    polygon,
    ...otherPolygons(input, origin),
  ]);
  if (aligned === undefined) {
    throw new DomainError(
      "IMAGES_UNUSABLE",
      "hardly any ground around the footprint is as it was in the survey that is this stockpile's base: " +
        "give images of more ground, or another base",
    );
  }
  return { ...placed, ...aligned, surface: resampleSurface(dsm, grid, aligned.transform) };
}

/** A later survey in the frame of the datum; `undefined`: nothing ties it to the earlier ones. */
export function placeLater(
  input: MeasureSurfaceInput,
  { origin, grid, georeferencing }: StockpileDatum,
  earlier: Epoch | undefined,
): PlacedSurvey | undefined {
  const { survey, footprint } = input;
  if (footprint === undefined) throw new Error("a datum without a footprint");
  const polygon = planOfRing(footprint, origin);
  const { surface, cameras = [] } = earlier ?? {};
  const aligned = alignSurvey(survey, { origin, georeferencing, surface, cameras }, [
    polygon,
    ...otherPolygons(input, origin),
  ]);
  return (
    aligned && {
      ...{ origin, grid, footprint, polygon, isProposed: false, movedM: NOT_MOVED },
      ...aligned,
      surface: resampleSurface(survey.dsm, grid, aligned.transform),
    }
  );
}

const NOT_MOVED: FootprintShift = [0, 0];

function shiftOf({ dsm, origin }: SurveyFacts, footprint: Ring): FootprintShift {
  return placeFootprint(dsm, planOfRing(footprint, origin), GPS_PLAN_M);
}

/** Footprints of other stockpiles in plan of the ENU frame at an origin, metres. */
export function otherPolygons(
  { otherFootprints }: Pick<MeasureSurfaceInput, "otherFootprints">,
  origin: SurveyOrigin,
): readonly PlanPolygon[] {
  return otherFootprints.map((ring) => planOfRing(ring, origin));
}
