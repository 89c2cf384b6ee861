import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { DomainError } from "../../domain/errors.ts";
import { outputSystem } from "../coordinates/map-projection.ts";
import { ENGINE_CHOICES } from "../engine/choose.ts";
import { PROFILE_NAMES } from "../engine/port/profiles.ts";
import { ControlPoints, IsControlSubset, ScaleBars } from "./control-schema.ts";
import { EXPORT_FIELDS } from "./export-fields.ts";
import { SURVEY_FIELDS } from "./survey-fields.ts";

/** Input of a job of the kind `survey`, as JSON. */
export const SurveyRequest = Type.Object({
  name: Type.String({ maxLength: 200, description: "Title of the report" }),
  images: Type.Array(Type.String(), { minItems: 1, maxItems: 2_000 }),
  ...SURVEY_FIELDS,
  profile: Type.Enum([...PROFILE_NAMES]),
  engine: Type.Enum([...ENGINE_CHOICES]),
  controlPoints: ControlPoints,
  scaleBars: ScaleBars,
  isControlSubset: IsControlSubset,
  ...EXPORT_FIELDS,
});
export type SurveyRequest = Static<typeof SurveyRequest>;

const check = Compile(SurveyRequest);

/** @throws DomainError `PARAMETER_INVALID` naming what is wrong first. */
export function readSurveyRequest(input: unknown): SurveyRequest {
  if (check.Check(input)) {
    if (input.outputCrs !== undefined) outputSystem(input.outputCrs);
    return input;
  }
  const [first] = check.Errors(input);
  const where = first?.instancePath ?? "";
  throw new DomainError(
    "PARAMETER_INVALID",
    `the survey's input is not valid: ${where} ${first?.message ?? ""}`.trim(),
  );
}
