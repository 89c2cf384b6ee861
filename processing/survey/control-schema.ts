import { Type } from "typebox";

const Mark = Type.Object({
  image: Type.String({ description: "Name of the image" }),
  u: Type.Number({ description: "Pixel column of the full-size image, 0 = middle of the first" }),
  v: Type.Number({ description: "Pixel row" }),
});
const SigmaM = Type.Number({ exclusiveMinimum: 0, description: "Standard deviation, metres" });

/** Control points of a job, as JSON: same shape as `ControlPoint` of the engines. */
export const ControlPoints = Type.Array(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    latDeg: Type.Number({ minimum: -90, maximum: 90 }),
    lonDeg: Type.Number({ minimum: -180, maximum: 180 }),
    heightM: Type.Number(),
    sigmaM: Type.Object({ horizontal: SigmaM, vertical: SigmaM }),
    isCheck: Type.Boolean(),
    marks: Type.Array(Mark),
  }),
  { maxItems: 500 },
);

/** Whether the control points of a job are those of a larger flight; see `SurveyInput`. */
export const IsControlSubset = Type.Optional(Type.Boolean());

const ScaleBarEnd = Type.Object({ marks: Type.Array(Mark) });

/** Scale bars of a job, as JSON: same shape as `ScaleBar` of the engines. */
export const ScaleBars = Type.Array(
  Type.Object({
    lengthM: Type.Number({ exclusiveMinimum: 0 }),
    sigmaM: SigmaM,
    ends: Type.Tuple([ScaleBarEnd, ScaleBarEnd]),
  }),
  { maxItems: 100 },
);
