import { Type } from "typebox";
import { CONTOUR_INTERVAL_M } from "../../processing/survey/export-fields.ts";
import { invalidParameter } from "../validation/validation.ts";

/** What may be asked of a survey for other programs; spread into a body. */
export const EXPORT_FIELDS = {
  exports: Type.Optional(
    Type.Boolean({
      title: "MakeExports",
      description:
        "true: make point cloud, terrain and contours as well; the answer then takes a second or more longer. Cameras are always made. The same images again with true make only these files",
    }),
  ),
  contour_interval_m: Type.Optional(
    Type.Number({
      ...CONTOUR_INTERVAL_M,
      description:
        "Distance of contour lines in height, metres; only with exports: true. Absent: chosen from the relief",
    }),
  ),
};

/**
 * Checks what the schema cannot.
 * @param at what comes before the field's name in an error, with its dot
 * @throws ParameterError naming contour_interval_m where no exports are asked for
 */
export function checkExportFields(
  fields: {
    readonly exports?: boolean | undefined;
    readonly contour_interval_m?: number | undefined;
  },
  at = "",
): void {
  if (fields.contour_interval_m === undefined || fields.exports === true) return;
  throw invalidParameter(`${at}contour_interval_m`, "needs exports: true beside it");
}
