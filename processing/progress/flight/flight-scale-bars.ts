import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { ScaleBar } from "../../engine/port/engine.ts";

const Length = Type.Number({ exclusiveMinimum: 0 });
const Mark = Type.Object({ image: Type.String(), u: Type.Number(), v: Type.Number() });
const End = Type.Object({ marks: Type.Array(Mark) });
const Bar = Type.Object({ length_m: Length, sigma_m: Length, ends: Type.Tuple([End, End]) });
const check = Compile(Bar);

/** Scale bars of a flight's metadata; unusable ones are named in warnings, as for its control points. */
export function readScaleBars(given: unknown, warnings: string[]): readonly ScaleBar[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) {
    warnings.push("flight_metadata.scale_bars is not a list, and was not used.");
    return [];
  }
  const usable = given.filter((bar: unknown): bar is Static<typeof Bar> => check.Check(bar));
  if (usable.length < given.length) {
    warnings.push(
      `flight_metadata.scale_bars: ${given.length - usable.length} of ${given.length} entries do not have length_m, sigma_m and two ends with marks (image, u, v), and were not used.`,
    );
  }
  return usable.map(({ length_m, sigma_m, ends }) => ({
    ...{ lengthM: length_m, sigmaM: sigma_m, ends },
  }));
}
