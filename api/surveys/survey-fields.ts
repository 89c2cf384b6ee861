import { Type } from "typebox";
import { DomainError } from "../../domain/errors.ts";
import { GeoidGridName } from "../../domain/geometry/geoid-grid-name.ts";
import { outputSystem } from "../../processing/coordinates/map-projection.ts";
import { ORTHOPHOTO_CELLS, PROFILE_NAMES } from "../../processing/engine/port/profiles.ts";
import { invalidParameter } from "../validation/validation.ts";

/** What may be asked of a survey, beside what it is made of; spread into a body. */
export const SURVEY_FIELDS = {
  profile: Type.Optional(
    Type.Enum([...PROFILE_NAMES], {
      title: "SurveyProfile",
      description:
        "quick (default): images are processed at 1,200 pixels. full: surface and orthophoto come from the photographs as they were taken. Time, and the disk for decoded images, grow with the pixels of the photographs: such a survey takes many times as long. The connection of a measurement may end before its answer; sending the same request again joins it",
    }),
  ),
  orthophoto: Type.Optional(
    Type.Enum([...ORTHOPHOTO_CELLS], {
      title: "OrthophotoCells",
      description:
        "Cells of the orthophoto: those of the profile (default), or native, one for each pixel of the photographs, at most 64 million; native goes with profile full",
    }),
  ),
  output_crs: Type.Optional(
    Type.String({
      minLength: 6,
      maxLength: 64,
      title: "OutputSystem",
      description:
        'Coordinate system of the maps, "EPSG:2180": a projected one in metres or feet. Absent: the UTM zone',
    }),
  ),
  geoid_grid: Type.Optional({
    ...GeoidGridName,
    description:
      "File name of a geoid grid (GTX or GeoTIFF) in the operator's GRID_DIR: heights of the products are reduced by it where they are above the ellipsoid (RTK, or a given surface that says so). Else, and where it is not there, a warning says so. Absent: heights stay as they are. Volumes do not depend on it",
  }),
};

/**
 * Checks what the schema cannot.
 * @param at what comes before a field's name in an error, with its dot
 * @throws ParameterError naming the field
 */
export function checkSurveyFields(
  fields: {
    readonly profile?: string | undefined;
    readonly orthophoto?: string | undefined;
    readonly output_crs?: string | undefined;
  },
  at = "",
): void {
  if (fields.orthophoto === "native" && fields.profile !== "full") {
    throw invalidParameter(`${at}orthophoto`, "native needs profile: full beside it");
  }
  if (fields.output_crs === undefined) return;
  try {
    outputSystem(fields.output_crs);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw invalidParameter(`${at}output_crs`, `cannot be used: ${error.message}`);
  }
}
