import { type Static, Type } from "typebox";
import { JobId, MeasurementId, ProjectId, StockpileId } from "../../../domain/ids.ts";
import {
  ALIGNMENTS,
  GEOREFERENCINGS,
  UNCERTAINTY_TERMS,
} from "../../../domain/sites/measurement.ts";
import { BASE_METHODS, FOOTPRINT_STATES, VOLUME_BASES } from "../../../domain/sites/stockpile.ts";
import { ImageUses } from "../../errors/image-uses.ts";
import { listOf } from "../../schemas/page.ts";
import { Polygon } from "../../schemas/polygon.ts";
import { Timestamp } from "../../schemas/timestamp.ts";
import { VerticalDatumField } from "../../schemas/vertical-datum.ts";
import { SignedImageUrl } from "../../surveys/signed-image-url.ts";
import { SurveyExportUrls } from "../../surveys/survey-exports.ts";

const CubicMetres = (description: string) =>
  Type.Number({ description: `Cubic metres, three decimals: ${description}` });
const Address = (description: string) =>
  Type.String({
    format: "uri",
    description: `${description}; opens without a header for 7 days`,
  });
const Percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });

/** The contract's measurement result; every one of its fields is there, always. */
const RESULT_FIELDS = {
  stockpile_id: StockpileId,
  previous_volume_m3: CubicMetres("what the stockpile held until then, declared or measured"),
  current_volume_m3: CubicMetres("cut less fill above the base"),
  change_m3: CubicMetres("current less previous, exactly"),
  measured_at: Type.String({
    format: "date-time",
    description: "flown_at; absent: when the newest image was taken, else when it was requested",
  }),
  accuracy: Type.String({
    description: 'A percentage as text, such as "98.6%": 100 less the 95 % relative uncertainty',
  }),
};

/** The base that a volume was measured above. */
export const MeasuredBase = Type.Object(
  {
    method: Type.Enum([...BASE_METHODS]),
    nmad_m: Type.Number({ description: "Spread of the ground about it, metres; 0: given" }),
    from: Type.Enum(["this_epoch", "first_epoch", "given"]),
  },
  { title: "MeasuredBase" },
);

/** Where the uncertainty of a volume comes from. */
export const SigmaTerms = Type.Object(
  Object.fromEntries(UNCERTAINTY_TERMS.map((term) => [term, Type.Number()])),
  {
    title: "SigmaTerms",
    description: "One standard deviation by where it comes from, cubic metres",
  },
);

/** What a measurement says beyond the contract. */
const FIGURES = {
  measurement_id: MeasurementId,
  project_id: ProjectId,
  job_id: JobId,
  recorded_at: Timestamp,
  change_basis: Type.Enum([...VOLUME_BASES], {
    description:
      "Source of the previous volume: a person, or a measurement; none: there is none, and the change counts from 0",
  }),
  previous_measurement_id: Type.Optional(MeasurementId),
  is_current: Type.Boolean({
    description: "false: of an older survey that arrived late, so not the stockpile's volume",
  }),
  accuracy_note: Type.String({ description: "What the uncertainty comes from" }),
  uncertainty_95_m3: CubicMetres("half of the 95 % interval of the volume"),
  sigma_m3: CubicMetres("one standard deviation of the volume"),
  sigma_terms_m3: SigmaTerms,
  change_uncertainty_95_m3: Type.Optional(
    CubicMetres(
      "half of the 95 % interval of the change; absent: the previous volume was declared, or is of another footprint or base",
    ),
  ),
  significant: Type.Optional(
    Type.Boolean({
      description: "Whether the change is beyond its uncertainty; absent in the same cases",
    }),
  ),
  cut_m3: CubicMetres("above the base"),
  fill_m3: CubicMetres("below the base"),
  net_m3: Type.Optional(
    CubicMetres(
      "cut less fill, below 0 where current_volume_m3 is 0 because the surface lies below its base; absent: measured before it was kept",
    ),
  ),
  rounded_off_m3: Type.Optional(
    CubicMetres(
      "what the surface rounds off of top and toe, by its change with resolution: part of volume, net, cut and fill, not of the maps; absent: nothing that could be told from noise",
    ),
  ),
  toe_footprint: Type.Optional(Polygon),
  area_m2: Type.Number({ description: "Of the footprint, square metres" }),
  max_height_m: Type.Number({ description: "Above the base, metres" }),
  coverage_percent: Percent("Of the footprint: what has a height"),
  interpolated_percent: Percent("Of that: what took its height from around it"),
  base: MeasuredBase,
  footprint_status: Type.Enum([...FOOTPRINT_STATES]),
  georeferencing: Type.Enum([...GEOREFERENCINGS]),
  vertical_datum: VerticalDatumField,
  alignment: Type.Enum([...ALIGNMENTS], {
    description: "How it was brought onto the frame of the earlier measurements",
  }),
  gsd_cm: Type.Number({
    description:
      "Ground sample distance of the photographs as they were taken, centimetres; of a given surface, its cell",
  }),
  cell_m: Type.Number({ description: "Cell of the grid that volumes are summed on, metres" }),
  density_t_per_m3: Type.Optional(Type.Number()),
  tonnes: Type.Optional(Type.Number({ description: "Volume times the stockpile's density" })),
  images: Type.Object({
    given: Type.Integer(),
    oriented: Type.Optional(Type.Integer({ description: "Absent: a surface was given" })),
    refused: Type.Array(Type.String(), { description: "The reason for each one left out" }),
  }),
  warnings: Type.Array(Type.String()),
  report_url: Address("The measurement's report, one HTML page to read and to print"),
  profile_url: Address("Sections through the pile, SVG"),
};

/** A measurement with addresses of its files. */
export const Measurement = Type.Object(
  {
    ...RESULT_FIELDS,
    ...FIGURES,
    image_uses: Type.Optional(
      Type.Array(
        Type.Object(
          { ...ImageUses.items.properties, signed_url: SignedImageUrl },
          { title: "MeasuredImage" },
        ),
        { description: "Every image that was sent, with its outcome" },
      ),
    ),
    surface_url: Address(
      "Surface, Cloud Optimized GeoTIFF in UTM; may be named again as the one image of a measurement",
    ),
    orthomosaic_url: Type.Optional(
      Address("True orthophoto, GeoTIFF; absent: only a surface was given"),
    ),
    model_3d_url: Type.Optional(Address("Textured model, GLB")),
    hillshade_url: Address("Relief with the footprint, PNG"),
    heights_url: Address("Heights above the base in colours, PNG"),
    change_url: Type.Optional(
      Address("Change since the previous measurement in colours, PNG; absent: the first"),
    ),
    survey_report_url: Address("The survey's own quality report, one HTML page"),
    survey_report_pdf_url: Address(
      "The same as PDF, printed when it is opened, which takes seconds; 501 where the server has no Chromium",
    ),
    exports: SurveyExportUrls,
  },
  { title: "Measurement" },
);
export type Measurement = Static<typeof Measurement>;

/** A measurement as in lists: figures, and the address of its report. */
export const ListedMeasurement = Type.Object(
  { ...RESULT_FIELDS, ...FIGURES },
  { title: "ListedMeasurement" },
);
export type ListedMeasurement = Static<typeof ListedMeasurement>;

export const MeasurementList = listOf("MeasurementList", ListedMeasurement);

/** A measurement with what a report shows beside it. */
export const MeasurementReport = Type.Object(
  {
    stockpile: Type.Object({
      id: StockpileId,
      project_id: ProjectId,
      material: Type.String(),
      location: Type.String(),
      max_capacity_m3: Type.Number(),
    }),
    measurement: Measurement,
    profile: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            "Sections `along` the pile's longest axis and `across` it: distance_m, surface_m, base_m and previous_m in metres, null = no data",
        },
      ),
    ),
  },
  { title: "MeasurementReport" },
);

export const MeasurementPath = Type.Object({
  stockpile_id: StockpileId,
  measurement_id: MeasurementId,
});
