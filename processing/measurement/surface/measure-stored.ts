import type { Ring } from "../../../domain/geometry/geofence.ts";
import type { MeasurementId } from "../../../domain/ids.ts";
import type { BaseChoice } from "../../../domain/sites/stockpile.ts";
import type { SurveyFacts } from "../../epoch/survey-facts.ts";
import type { GroundSurvey } from "./ground-survey.ts";
import { measureVolume, type SurfaceFigures } from "./measure-volume.ts";

/** A footprint in a survey that was stored. */
export interface MeasureStoredInput {
  /** What the survey left for volumes (`openBasis`), or, of one without, its surface as anybody's. */
  readonly survey: { readonly facts: SurveyFacts } | { readonly surface: GroundSurvey };
  readonly footprint: Ring;
  readonly isDrawnOnSurvey: boolean;
  readonly base: BaseChoice;
  /** Of all other stockpiles around: their surfaces change as well. */
  readonly otherFootprints: readonly Ring[];
  /** The surface that the base `survey` names. */
  readonly ground: GroundSurvey | undefined;
}

/** Names nothing: no datum of it is kept. */
const UNKEPT = "none" as MeasurementId;

/**
 * Measures a footprint in a stored survey as `measureVolume` does in a new one, by itself: base and frame are those of
 * this survey.
 * @throws GateRefusal as `measureVolume`
 */
export function measureStored(input: MeasureStoredInput): SurfaceFigures {
  const { survey, ...asked } = input;
  const { figures } = measureVolume({
    ...asked,
    measurementId: UNKEPT,
    survey: "facts" in survey ? survey.facts : asGiven(survey.surface),
    datum: undefined,
    earlier: undefined,
  });
  return figures;
}

/** Nothing is known of how it was made but its heights. */
const asGiven = ({ origin, dsm }: GroundSurvey): SurveyFacts => ({
  ...{ origin, dsm, gsdM: dsm.cellM },
  georeferencing: "given",
  block: undefined,
  cameras: [],
});
