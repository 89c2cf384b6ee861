/** Metres of an international foot (agreement of 1959). */
export const FOOT_M = 0.3048;

/** Metres of a US survey foot, exactly (Mendenhall order of 1893; National Bureau of Standards, 1959). */
export const US_SURVEY_FOOT_M = 1_200 / 3_937;
