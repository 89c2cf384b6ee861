import { DomainError } from "../../../domain/errors.ts";
import type { Ring } from "../../../domain/geometry/geofence.ts";
import type { MeasurementId } from "../../../domain/ids.ts";
import type { BaseChoice } from "../../../domain/sites/stockpile.ts";
import { decodeBasis } from "../../epoch/survey-basis.ts";
import type { SurveyFacts } from "../../epoch/survey-facts.ts";
import type { GroundSurvey } from "./ground-survey.ts";
import { measureVolume, type SurfaceFigures } from "./measure-volume.ts";

/** A footprint in a survey that was stored. */
export interface MeasureStoredInput {
  /** The file that the survey left, or, of one without, its surface as anybody's. */
  readonly survey: { readonly basis: Uint8Array } | { readonly surface: GroundSurvey };
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
 * @throws GateRefusal as `measureVolume`; DomainError `STORE_DAMAGED` for a file that cannot be read
 */
export function measureStored(input: MeasureStoredInput): SurfaceFigures {
  const { survey, ...asked } = input;
  const { figures } = measureVolume({
    ...asked,
    measurementId: UNKEPT,
    survey: "basis" in survey ? openBasis(survey.basis) : asGiven(survey.surface),
    datum: undefined,
    earlier: undefined,
  });
  return figures;
}

function openBasis(bytes: Uint8Array): SurveyFacts {
  const survey = decodeBasis(bytes);
  if (survey !== undefined) return survey;
  throw new DomainError("STORE_DAMAGED", "the file that volumes of this survey are computed from");
}

/** Nothing is known of how it was made but its heights. */
const asGiven = ({ origin, dsm }: GroundSurvey): SurveyFacts => ({
  ...{ origin, dsm, gsdM: dsm.cellM },
  georeferencing: "given",
  block: undefined,
  cameras: [],
});
