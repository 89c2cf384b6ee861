import type { Ring } from "../../../domain/geometry/geofence.ts";
import type { MeasurementId } from "../../../domain/ids.ts";
import type { BaseChoice } from "../../../domain/sites/stockpile.ts";
import type { EpochImage } from "../../epoch/epoch-file.ts";
import type { SurveyFacts } from "../../epoch/survey-facts.ts";
import type { StockpileDatum } from "./datum.ts";
import type { GroundSurvey } from "./ground-survey.ts";

/** What one measurement is computed from; grids are to lie on shared memory. */
export interface MeasureSurfaceInput {
  readonly measurementId: MeasurementId;
  readonly survey: SurveyFacts;
  readonly base: BaseChoice;
  /** `undefined`: one is to be proposed. */
  readonly footprint: Ring | undefined;
  /** The footprint was drawn on the survey itself: it is not moved onto a heap. Absent: it was drawn on a map. */
  readonly isDrawnOnSurvey?: boolean;
  /** Of all other stockpiles around: their surfaces change as well. */
  readonly otherFootprints: readonly Ring[];
  /** Of the stockpile; `undefined`: this measurement makes it. */
  readonly datum: StockpileDatum | undefined;
  /** File of the epoch that this one is brought onto. */
  readonly earlier: Uint8Array | undefined;
  /** What the survey was oriented with, for the next time; absent: nothing. */
  readonly companions?: readonly EpochImage[];
  /** The surface that the base `survey` names. */
  readonly ground: GroundSurvey | undefined;
}
