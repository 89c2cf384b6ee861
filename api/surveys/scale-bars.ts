import { type Static, Type } from "typebox";
import type { MeasureRequest } from "../../processing/measurement/measure-request.ts";

/** Where an image shows a point. */
export const Mark = Type.Object(
  {
    image: Type.String({ description: "Name of the image: the end of its URL" }),
    u: Type.Number({ description: "Pixel column of the full-size image, 0 = middle of the first" }),
    v: Type.Number({ description: "Pixel row" }),
  },
  { title: "ImageMark" },
);
const ScaleBarEnd = Type.Object({ marks: Type.Array(Mark, { maxItems: 1_000 }) });

/** A distance on the ground that was measured between two marked points. */
export const ScaleBar = Type.Object(
  {
    length_m: Type.Number({ exclusiveMinimum: 0 }),
    sigma_m: Type.Number({ exclusiveMinimum: 0, description: "Standard deviation, metres" }),
    ends: Type.Array(ScaleBarEnd, { minItems: 2, maxItems: 2 }),
  },
  { title: "ScaleBar" },
);
export type ScaleBar = Static<typeof ScaleBar>;

/** Scale bars of a body as a job takes them. */
export function readScaleBars(bars: readonly ScaleBar[]): MeasureRequest["scaleBars"] {
  return bars.map(({ length_m, sigma_m, ends: [first, second] }) => ({
    lengthM: length_m,
    sigmaM: sigma_m,
    // The schema lets nothing pass that has not two.
    ends: [first ?? { marks: [] }, second ?? { marks: [] }],
  }));
}
