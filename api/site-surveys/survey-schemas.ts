import { type Static, Type } from "typebox";
import {
  CaptureId,
  MeasurementId,
  ProjectId,
  ReportId,
  StockpileId,
  SurveyId,
} from "../../domain/ids.ts";
import { GEOREFERENCINGS } from "../../domain/sites/measurement.ts";
import { orNull } from "../schemas/or-null.ts";
import { CursorPagination } from "../schemas/page.ts";
import { timestampOf } from "../schemas/timestamp.ts";
import { VerticalDatumField } from "../schemas/vertical-datum.ts";
import { SurveyExportUrls } from "../surveys/survey-exports.ts";

const Address = (description: string) =>
  Type.String({
    format: "uri",
    description: `${description}; opens without a header for 6 days at least`,
  });
const Metres = (description: string) => Type.Number({ description: `${description}, metres` });

const Source = Type.Union(
  [
    Type.Object({
      kind: Type.Literal("stockpile_measurement"),
      stockpile_id: StockpileId,
      measurement_id: MeasurementId,
      material: Type.String(),
      location: Type.String(),
    }),
    Type.Object({
      kind: Type.Literal("progress_capture"),
      capture_id: CaptureId,
      report_id: orNull(ReportId),
    }),
    Type.Object(
      { kind: Type.Literal("survey"), capture_id: CaptureId },
      { description: "For itself, by POST /surveys; it can be deleted" },
    ),
  ],
  { title: "SurveySource", description: "What the survey was made for" },
);

const Bounds = Type.Object(
  {
    west: Type.Number(),
    south: Type.Number(),
    east: Type.Number(),
    north: Type.Number(),
  },
  { title: "SurveyBounds", description: "Degrees, WGS 84" },
);

const Accuracy = Type.Object(
  {
    georeferencing: orNull(
      Type.Enum([...GEOREFERENCINGS, "unknown"], {
        description: "What fixes scale and place; unknown: the report does not say",
      }),
    ),
    scale_sigma_percent: orNull(
      Type.Number({ description: "One standard deviation of lengths, percent" }),
    ),
    reprojection_rms_px: orNull(
      Type.Number({ description: "What is left over in the images, pixels of the photographs" }),
    ),
    control_rms_m: orNull(Metres("What is left over at control points")),
    check_rms_m: orNull(Metres("The same at points that were held back")),
  },
  {
    title: "SurveyAccuracy",
    description: "As the survey's report states it; null: not stated, as for a given surface",
  },
);

const Measured = Type.Object({ value: orNull(Type.Number()), unit: Type.String() });

const Finding = Type.Object(
  {
    gate: Type.String(),
    severity: Type.Enum(["warn", "reject"]),
    measured: Measured,
    limit: Measured,
    advice: Type.String({ description: "What to do about it" }),
  },
  { title: "SurveyFinding", description: "What a check of the survey found" },
);

const SUMMARY_FIELDS = {
  id: SurveyId,
  project_id: ProjectId,
  source: Source,
  captured_at: timestampOf("When the images were taken"),
  recorded_at: timestampOf("When its products were stored"),
  bounds: orNull(Bounds),
  epsg: orNull(Type.Integer({ description: "System of the products; null: without a code" })),
  coordinate_system: orNull(Type.String()),
  cell_m: orNull(Metres("Cell of the surface")),
  gsd_cm: orNull(
    Type.Number({
      description: "Ground sample distance of the photographs, centimetres; null: not stated",
    }),
  ),
  lowest_m: orNull(Metres("Lowest height of the surface")),
  highest_m: orNull(Metres("Highest height of the surface")),
  vertical_datum: VerticalDatumField,
  accuracy: Accuracy,
  warnings: Type.Array(Type.String()),
  findings: orNull(
    Type.Array(Finding, { description: "null: the survey's report cannot be read" }),
  ),
  products: Type.Object({
    surface_url: Address("Surface, Cloud Optimized GeoTIFF; may be named as an image"),
    orthomosaic_url: orNull(Address("True orthophoto, GeoTIFF; null: there is none")),
    model_3d_url: orNull(Address("Textured model, GLB")),
    survey_report_url: Address("Quality report, one HTML page"),
    survey_report_pdf_url: Address("The same as PDF; 501 where the server has no Chromium"),
    exports: SurveyExportUrls,
  }),
};

/** A survey as in lists. */
export const ListedSurvey = Type.Object(SUMMARY_FIELDS, {
  title: "ListedSurvey",
  description: "bounds, epsg and cell_m are null where the surface can no longer be read",
});
export type ListedSurvey = Static<typeof ListedSurvey>;

export const SurveyList = Type.Object(
  { data: Type.Array(ListedSurvey), pagination: CursorPagination },
  { title: "SurveyList" },
);

const LAYER_FIELDS = {
  url_template: Type.String({
    description:
      "Address with {z}, {x} and {y} for the map to fill in; {y}@2x has 512 pixels. Opens without a header for 7 days; with a key or session getSurveyTile has the same",
  }),
  min_zoom: Type.Integer({ description: "Lowest zoom that there are tiles of" }),
  max_zoom: Type.Integer({ description: "Zoom that shows every cell; maps enlarge its tiles" }),
};

const Tiles = Type.Object(
  {
    orthophoto: orNull(Type.Object(LAYER_FIELDS, { description: "null: there is none" })),
    hillshade: Type.Object(LAYER_FIELDS, {
      description: "Relief, lit from the west and the north",
    }),
    heights: Type.Object(
      {
        ...LAYER_FIELDS,
        low_m: orNull(Metres("Height of the first colour; 2 % of the surface lie below")),
        high_m: orNull(Metres("Height of the last colour; 2 % of the surface lie above")),
      },
      { description: "Heights in colours (viridis)" },
    ),
    terrain: Type.Object(
      { ...LAYER_FIELDS, encoding: Type.Literal("terrarium") },
      {
        description:
          "Heights as numbers, lossless: red x 256 + green + blue / 256 - 32768, metres; where there is no data about the lowest height of the survey",
      },
    ),
  },
  { title: "SurveyTiles", description: "Map tiles in web mercator (EPSG:3857)" },
);

/** A survey with its tiles. */
export const Survey = Type.Object(
  { ...SUMMARY_FIELDS, tiles: orNull(Tiles) },
  {
    title: "Survey",
    description: "bounds, epsg, cell_m and tiles are null where the surface can no longer be read",
  },
);
export type Survey = Static<typeof Survey>;

export const SurveyPath = Type.Object({ survey_id: SurveyId });
