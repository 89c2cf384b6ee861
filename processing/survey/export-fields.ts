import { Type } from "typebox";

/** Distances of contour lines in height that may be asked for, metres. */
export const CONTOUR_INTERVAL_M = { minimum: 0.01, maximum: 100 } as const;

/** What a job may be asked to make for other programs, as JSON; spread into its request. */
export const EXPORT_FIELDS = {
  exports: Type.Optional(
    Type.Boolean({ description: "Point cloud, terrain and contours too; absent: not" }),
  ),
  contourIntervalM: Type.Optional(
    Type.Number({ ...CONTOUR_INTERVAL_M, description: "Absent: chosen from the relief" }),
  ),
};
