import { FOOT_M, US_SURVEY_FOOT_M } from "./length-units.ts";

/**
 * What heights count from. `ellipsoidal`: WGS 84; `geoid`: the model of a grid file, which was subtracted from
 * ellipsoidal heights; `named`: the system that a given file names, unchanged; `unknown`: nothing says it.
 */
export const VERTICAL_DATUM_KINDS = ["ellipsoidal", "geoid", "named", "unknown"] as const;

/** What the heights of a survey's products count from; differences of height hold in any case. */
export interface VerticalDatum {
  readonly kind: (typeof VERTICAL_DATUM_KINDS)[number];
  /** In words: the grid, the system, or why nothing is known. */
  readonly name: string;
}

/** Of what was made before vertical datums were kept. */
export const UNKEPT_DATUM: VerticalDatum = {
  kind: "unknown",
  name: "made before vertical datums were kept",
};

/** Units that the heights of a given surface may be counted in: metre, international foot, US survey foot. */
export const HEIGHT_UNITS = ["m", "ft", "us-ft"] as const;
export type HeightUnit = (typeof HEIGHT_UNITS)[number];

/** Metres of one of each. */
export const HEIGHT_UNIT_M: Readonly<Record<HeightUnit, number>> = {
  m: 1,
  ft: FOOT_M,
  "us-ft": US_SURVEY_FOOT_M,
};
