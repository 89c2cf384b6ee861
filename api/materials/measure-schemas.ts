import { Type } from "typebox";
import { MOST_MEASURE_IMAGES } from "../../processing/measurement/measure-request.ts";
import { CONTROL_FIELDS } from "./control-schemas.ts";

const ImageUrl = Type.String({
  description:
    "http(s) URL of at most 2,048 characters, the address of an uploaded image, or a data: URL in base64",
});

const ImageOfUpload = Type.Object({
  url: ImageUrl,
  name: Type.Optional(
    Type.String({ description: "What warnings call the image; absent: the end of its URL's path" }),
  ),
});

/** What `readImageEntries` takes; validation is left to that, which names the entry. */
const Images = Type.Array(Type.Union([ImageUrl, ImageOfUpload]), {
  minItems: 1,
  maxItems: MOST_MEASURE_IMAGES,
  description: "Drone images of the stockpile, five or more; or one GeoTIFF of heights (a DSM)",
});

/** Body of POST /materials/stockpiles/{id}/measure, as it is described. */
export const MeasureBody = Type.Object(
  { images: Images, ...CONTROL_FIELDS },
  { title: "MeasureRequest" },
);
