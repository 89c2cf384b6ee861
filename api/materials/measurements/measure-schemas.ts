import { Type } from "typebox";
import { MOST_MEASURE_IMAGES } from "../../../processing/measurement/measure-request.ts";
import { SurfaceHeightUnit } from "../../schemas/vertical-datum.ts";
import { EXPORT_FIELDS } from "../../surveys/export-fields.ts";
import { imageList } from "../../surveys/image-entries.ts";
import { SURVEY_FIELDS } from "../../surveys/survey-fields.ts";
import { CONTROL_FIELDS } from "./control-schemas.ts";

const Images = imageList(
  MOST_MEASURE_IMAGES,
  "Drone images of the stockpile, five or more; or one GeoTIFF of heights (a DSM)",
);

/** Body of POST /materials/stockpiles/{id}/measure, as it is described. */
export const MeasureBody = Type.Object(
  {
    images: Images,
    ...CONTROL_FIELDS,
    surface_height_unit: SurfaceHeightUnit,
    ...SURVEY_FIELDS,
    ...EXPORT_FIELDS,
  },
  { title: "MeasureRequest" },
);
