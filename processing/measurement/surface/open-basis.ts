import { DomainError } from "../../../domain/errors.ts";
import { withShared } from "../../engine/run/shared-memory.ts";
import { decodeBasis } from "../../epoch/survey-basis.ts";
import type { SurveyFacts } from "../../epoch/survey-facts.ts";

/**
 * Opens the file that volumes of a survey are computed from; its surface lies on shared memory, so that each
 * footprint that is measured in it goes to a thread without a copy.
 * @throws DomainError `STORE_DAMAGED` for a file that cannot be read
 */
export function openBasis(bytes: Uint8Array): SurveyFacts {
  const survey = decodeBasis(bytes);
  if (survey !== undefined) return { ...survey, dsm: withShared(survey.dsm) };
  throw new DomainError("STORE_DAMAGED", "the file that volumes of this survey are computed from");
}
