import type { SurveyOrigin } from "../../geometry/enu.ts";
import type { ElevationGrid } from "../../grid/elevation-grid.ts";

/** The ground as it was surveyed when the place was empty: what a base of the kind `survey` names. */
export interface GroundSurvey {
  readonly origin: SurveyOrigin;
  readonly dsm: ElevationGrid;
}
