import { type Static, Type } from "typebox";
import { ProjectId, SurveyId } from "../../domain/ids.ts";
import { orNull } from "../schemas/or-null.ts";
import { timestampOf } from "../schemas/timestamp.ts";
import { VerticalDatumField } from "../schemas/vertical-datum.ts";
import { PLACED_BY } from "./height-accuracy.ts";

const Metres = (description: string) => Type.Number({ description: `${description}, metres` });

/** Points of a profile at most: four for each pixel of a wide chart are more than it shows. */
export const MOST_POINTS = 1_000;

/** The query parameter of a place; read by `readPlace`. */
export const PlaceParameter = (description: string) =>
  Type.String({
    maxLength: 60,
    description: `${description}: LATITUDE,LONGITUDE, degrees (WGS 84)`,
  });

/** The survey that heights are of, and how sure they are. */
const SOURCE_FIELDS = {
  survey_id: SurveyId,
  project_id: ProjectId,
  captured_at: timestampOf("When the images were taken"),
  vertical_datum: VerticalDatumField,
  cell_m: orNull(Metres("Cell of the surface")),
  uncertainty_95_m: orNull(
    Metres("Half of the 95 % interval of each height above the datum; null: not known"),
  ),
  relative_95_m: orNull(
    Metres("The same of the difference of two heights of this survey; null: not known"),
  ),
  placed_by: Type.Enum([...PLACED_BY], {
    description: "What the height of the survey as a whole is known by",
  }),
};

const HeightSource = Type.Object(SOURCE_FIELDS, { title: "HeightSource" });
export type HeightSource = Static<typeof HeightSource>;

/** Answer of GET /surveys/{id}/height. */
export const SurveyHeight = Type.Object(
  {
    latitude: Type.Number(),
    longitude: Type.Number(),
    height_m: Metres("Height of the surface above the datum"),
    source: HeightSource,
  },
  { title: "SurveyHeight" },
);

const Compared = orNull(
  Metres("Height of the survey compared with; null: it has none there, or none was asked for"),
);

/** Answer of GET /surveys/{id}/profile. */
export const HeightProfile = Type.Object(
  {
    length_m: Metres("Length in plan, on the ellipsoid"),
    rise_m: orNull(Metres("Last height less the first; null: one is missing")),
    slope_percent: orNull(Type.Number({ description: "Rise in hundredths of the length" })),
    share_with_heights: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Of the points, those that have a height",
    }),
    source: HeightSource,
    compared_with: orNull(HeightSource),
    points: Type.Array(
      Type.Object({
        distance_m: Metres("From the start, in plan"),
        latitude: Type.Number(),
        longitude: Type.Number(),
        height_m: orNull(Metres("null: the survey has none there")),
        compared_height_m: Compared,
      }),
      { description: "From `from` to `to`, both included, at even distances" },
    ),
    warnings: Type.Array(Type.String()),
  },
  { title: "HeightProfile" },
);
