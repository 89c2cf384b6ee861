import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { DomainError } from "../../domain/errors.ts";
import { ENGINE_CHOICES } from "../engine/choose.ts";
import { PROFILE_NAMES } from "../engine/profiles.ts";

const Mark = Type.Object({
  image: Type.String({ description: "Name of the image" }),
  u: Type.Number({ description: "Pixel column of the full-size image, 0 = middle of the first" }),
  v: Type.Number({ description: "Pixel row" }),
});
const SigmaM = Type.Number({ exclusiveMinimum: 0, description: "Standard deviation, metres" });

/** Same shape as `ControlPoint` of the engines. */
const ControlPoint = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  latDeg: Type.Number({ minimum: -90, maximum: 90 }),
  lonDeg: Type.Number({ minimum: -180, maximum: 180 }),
  heightM: Type.Number(),
  sigmaM: Type.Object({ horizontal: SigmaM, vertical: SigmaM }),
  isCheck: Type.Boolean(),
  marks: Type.Array(Mark),
});
const ScaleBarEnd = Type.Object({ marks: Type.Array(Mark) });
const ScaleBar = Type.Object({
  lengthM: Type.Number({ exclusiveMinimum: 0 }),
  sigmaM: SigmaM,
  ends: Type.Tuple([ScaleBarEnd, ScaleBarEnd]),
});

/** Input of a job of the kind `survey`, as JSON. */
export const SurveyRequest = Type.Object({
  name: Type.String({ maxLength: 200, description: "Title of the report" }),
  images: Type.Array(Type.String(), { minItems: 1, maxItems: 2_000 }),
  profile: Type.Enum([...PROFILE_NAMES]),
  engine: Type.Enum([...ENGINE_CHOICES]),
  controlPoints: Type.Array(ControlPoint, { maxItems: 500 }),
  scaleBars: Type.Array(ScaleBar, { maxItems: 100 }),
});
export type SurveyRequest = Static<typeof SurveyRequest>;

const check = Compile(SurveyRequest);

/** @throws DomainError `PARAMETER_INVALID` naming what is wrong first. */
export function readSurveyRequest(input: unknown): SurveyRequest {
  if (check.Check(input)) return input;
  const [first] = check.Errors(input);
  const where = first?.instancePath ?? "";
  throw new DomainError(
    "PARAMETER_INVALID",
    `the survey's input is not valid: ${where} ${first?.message ?? ""}`.trim(),
  );
}
