import { type Static, Type } from "typebox";
import { MeasurementId, StockpileId, SurveyId } from "../../domain/ids.ts";
import { BASE_METHODS } from "../../domain/sites/stockpile.ts";
import { MeasuredBase, SigmaTerms } from "../materials/measurements/measurement-schemas.ts";
import { orNull } from "../schemas/or-null.ts";
import { Polygon } from "../schemas/polygon.ts";

const CubicMetres = (description: string) =>
  Type.Number({ description: `Cubic metres, three decimals: ${description}` });
const Percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });

const VolumeBase = Type.Object(
  {
    method: Type.Enum([...BASE_METHODS], {
      description:
        "plane: fitted to the ground around the footprint; tin: triangles through it; level: one height; survey: another survey, as an earlier one of the place",
    }),
    height_m: Type.Optional(
      Type.Number({ description: "Of method level, metres, in the heights of the survey" }),
    ),
    survey_id: Type.Optional(SurveyId),
  },
  { title: "VolumeBase", description: "What the volume is above" },
);

const FIELDS = {
  footprint: Polygon,
  base: Type.Optional(VolumeBase),
};

/** Body of POST /surveys/{id}/volume. */
export const NewVolume = Type.Object(FIELDS, { title: "NewVolume" });

/** Body of POST /materials/stockpiles/{id}/preview-volume. */
export const NewVolumePreview = Type.Object(
  { ...FIELDS, measurement_id: Type.Optional(MeasurementId) },
  { title: "NewVolumePreview" },
);

/** What of the bodies the route reads itself, to name the corner or the field that is wrong. */
export const READ_BY_ROUTE = ["footprint", "base"] as const;

/** Answer of both. */
export const Volume = Type.Object(
  {
    survey_id: SurveyId,
    stockpile_id: Type.Optional(StockpileId),
    footprint: Polygon,
    net_m3: CubicMetres("cut less fill, below 0 where the surface lies below its base"),
    uncertainty_95_m3: CubicMetres("half of the 95 % interval of net_m3"),
    cut_m3: CubicMetres("above the base"),
    fill_m3: CubicMetres("below the base"),
    rounded_off_m3: Type.Optional(
      CubicMetres("what the surface rounds off of top and toe: part of net, cut and fill"),
    ),
    sigma_m3: CubicMetres("one standard deviation of net_m3"),
    sigma_terms_m3: SigmaTerms,
    accuracy_basis: Type.Enum(["survey", "surface"], {
      description:
        "survey: what the survey's images left uncertain; surface: that is not known, and a scale of 1 % is assumed",
    }),
    tonnes: Type.Optional(
      orNull(
        Type.Number({
          description:
            "Net volume times the stockpile's density; null: below its base, or no density",
        }),
      ),
    ),
    area_m2: Type.Number({ description: "Of the footprint, square metres" }),
    max_height_m: Type.Number({ description: "Above the base, metres" }),
    coverage_percent: Percent("Of the footprint: what has a height"),
    interpolated_percent: Percent("Of that: what took its height from around it"),
    base: MeasuredBase,
    cell_m: Type.Number({ description: "Cell of the grid that volumes are summed on, metres" }),
    warnings: Type.Array(Type.String()),
  },
  { title: "Volume", description: "A volume in a stored survey; nothing of it is stored" },
);
export type Volume = Static<typeof Volume>;
