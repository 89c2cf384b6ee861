import { Type } from "typebox";
import { GeoidGridName } from "../../domain/geometry/geoid-grid-name.ts";
import { ORTHOPHOTO_CELLS, PROFILE_NAMES, type ProfileName } from "../engine/port/profiles.ts";

/** How a survey may be asked to be made, as JSON; spread into a job's request. */
export const SURVEY_FIELDS = {
  profile: Type.Optional(Type.Enum([...PROFILE_NAMES], { description: "Absent: quick" })),
  orthophoto: Type.Optional(
    Type.Enum([...ORTHOPHOTO_CELLS], {
      description:
        "Cells of the orthophoto: those of the profile (default), or native, one for each pixel of the images",
    }),
  ),
  outputCrs: Type.Optional(
    Type.String({ maxLength: 64, description: "EPSG code of the maps; absent: the UTM zone" }),
  ),
  geoidGrid: Type.Optional(GeoidGridName),
};

/**
 * Work of an image at the full profile, in images at the quick one: for waiting times, which learn the rest.
 * Pixels of a photograph of 12 megapixels, by those of one of 1,200 x 800. It is wrong only until waiting times
 * have learned.
 */
const FULL_UNITS = 12;

/** Units of work of one image. */
export const unitsOfProfile = (profile: ProfileName | undefined): number =>
  profile === "full" ? FULL_UNITS : 1;
