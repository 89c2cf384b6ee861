import { type Static, Type } from "typebox";
import type { MeasureRequest } from "../../../processing/measurement/measure-request.ts";
import { Mark, readScaleBars, ScaleBar } from "../../surveys/scale-bars.ts";

const Metres = Type.Number({ exclusiveMinimum: 0, description: "Standard deviation, metres" });

/** A surveyed point and where images show it. */
const ControlPoint = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    height_m: Type.Number({ description: "Above the ellipsoid or any one level, metres" }),
    sigma_m: Type.Optional(
      Type.Object({ horizontal: Metres, vertical: Metres }, { description: "Absent: 2 cm, 3 cm" }),
    ),
    is_check: Type.Optional(
      Type.Boolean({ description: "Held back: measures the result and does not shape it" }),
    ),
    marks: Type.Array(Mark, { maxItems: 1_000 }),
  },
  { title: "ControlPoint" },
);
type ControlPoint = Static<typeof ControlPoint>;

/** What else than the images may fix a survey's scale and place; spread into a body. */
export const CONTROL_FIELDS = {
  control_points: Type.Optional(Type.Array(ControlPoint, { maxItems: 500 })),
  control_points_subset: Type.Optional(
    Type.Boolean({
      description:
        "true: the points are those of a larger flight, and marks in images that are not among these do not count. Absent: such a mark is an error",
    }),
  ),
  scale_bars: Type.Optional(Type.Array(ScaleBar, { maxItems: 100 })),
};

/**
 * What a GNSS rover with corrections gives on one point, metres. Larger lets the images outweigh the points;
 * smaller bends the survey to their errors.
 */
const ROVER_SIGMA_M = { horizontal: 0.02, vertical: 0.03 };

/** Control of a body as a job takes it. */
export function readControl(body: {
  readonly control_points?: readonly ControlPoint[] | undefined;
  readonly control_points_subset?: boolean | undefined;
  readonly scale_bars?: readonly ScaleBar[] | undefined;
}): Pick<MeasureRequest, "controlPoints" | "isControlSubset" | "scaleBars"> {
  const { control_points = [], control_points_subset: isControlSubset, scale_bars = [] } = body;
  return {
    ...(isControlSubset === true ? { isControlSubset } : {}),
    controlPoints: control_points.map((point) => ({
      name: point.name,
      latDeg: point.latitude,
      lonDeg: point.longitude,
      heightM: point.height_m,
      sigmaM: point.sigma_m ?? ROVER_SIGMA_M,
      isCheck: point.is_check ?? false,
      marks: point.marks,
    })),
    scaleBars: readScaleBars(scale_bars),
  };
}
