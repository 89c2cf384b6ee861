import { FOOT_M, US_SURVEY_FOOT_M } from "../../../domain/geometry/length-units.ts";

/** Metres of the linear units of LandXML 1.2 (`metLinear` and `impLinear` of its schema). */
const UNIT_M: Readonly<Record<string, number>> = {
  millimeter: 0.001,
  centimeter: 0.01,
  meter: 1,
  kilometer: 1_000,
  inch: 0.0254,
  foot: FOOT_M,
  USSurveyFoot: US_SURVEY_FOOT_M,
  mile: 1_609.344,
};

/** Metres of one unit; `undefined` for a name that LandXML does not have. */
export const metresOf = (linearUnit: string): number | undefined =>
  Object.hasOwn(UNIT_M, linearUnit) ? UNIT_M[linearUnit] : undefined;

/** The names, for errors. */
export const LINEAR_UNITS = Object.keys(UNIT_M).join(", ");
