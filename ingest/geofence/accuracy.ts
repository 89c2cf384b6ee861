/** Accuracy of a position that came with neither accuracy nor HDOP, metres (docs/rules.md#accuracy). */
const UNKNOWN_ACCURACY_M = 15;
/** Metres of accuracy per unit of HDOP (docs/rules.md#accuracy). */
export const METERS_PER_HDOP = 5;

/** Accuracy to work with, metres; arguments are `NaN` or `undefined` where not reported. */
export function accuracyOr(
  accuracyM: number | undefined,
  hdop: number | undefined,
): { readonly meters: number; readonly source: "reported" | "assumed" } {
  if (accuracyM !== undefined && !Number.isNaN(accuracyM)) {
    return { meters: accuracyM, source: "reported" };
  }
  const isKnown = hdop !== undefined && !Number.isNaN(hdop) && hdop > 0;
  return { meters: isKnown ? METERS_PER_HDOP * hdop : UNKNOWN_ACCURACY_M, source: "assumed" };
}
