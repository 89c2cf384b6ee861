import { type Static, Type } from "typebox";
import { IMAGE_USES } from "../../../../domain/sites/image-use.ts";

const closed = { additionalProperties: false };

/** A number with its unit ("" = plain); `null` where it could not be measured. */
export const Figure = Type.Object(
  { value: Type.Union([Type.Number(), Type.Null()]), unit: Type.String() },
  closed,
);
export type Figure = Static<typeof Figure>;

const Finding = Type.Object(
  {
    gate: Type.String(),
    severity: Type.Union([Type.Literal("reject"), Type.Literal("warn")]),
    measured: Figure,
    limit: Figure,
    advice: Type.String(),
    images: Type.Array(Type.String()),
  },
  closed,
);

const Lens = Type.Object(
  {
    images: Type.Integer(),
    width: Figure,
    height: Figure,
    focal_length: Figure,
    focal_length_change: Figure,
    focal_length_sigma: Figure,
    principal_point_x: Figure,
    principal_point_y: Figure,
    k1: Figure,
    k2: Figure,
    p1: Figure,
    p2: Figure,
  },
  closed,
);

const Control = Type.Object(
  {
    name: Type.String(),
    use: Type.Union([Type.Literal("used"), Type.Literal("check"), Type.Literal("left_out")]),
    error_east: Figure,
    error_north: Figure,
    error_up: Figure,
    leave_one_out: Figure,
    marks: Type.Array(
      Type.Object({ image: Type.String(), used: Type.Boolean(), residual: Figure }, closed),
    ),
  },
  closed,
);

const ImageRow = Type.Object(
  {
    name: Type.String(),
    sha256: Type.String(),
    oriented: Type.Boolean(),
    camera: Type.String(),
    observations: Figure,
    reprojection_rms: Figure,
    gps_residual_east: Figure,
    gps_residual_north: Figure,
    gps_residual_up: Figure,
    tilt: Figure,
    sharpness: Figure,
    brightness: Figure,
    clipped: Figure,
  },
  closed,
);

/**
 * Quality report of one survey, `report.json`: every figure with its unit. Pixels are those of the photographs;
 * `matched_sample_distance` is that of the images as the surface was matched in them.
 */
export const SurveyReport = Type.Object(
  {
    schema: Type.Literal("plumbline.survey-report/1"),
    survey: Type.Object(
      {
        name: Type.String(),
        engine: Type.String(),
        flown_from: Type.Union([Type.String(), Type.Null()]),
        flown_to: Type.Union([Type.String(), Type.Null()]),
      },
      closed,
    ),
    place: Type.Object(
      {
        latitude: Figure,
        longitude: Figure,
        height: Figure,
        projection: Type.String(),
        epsg: Type.Integer(),
        map_error: Figure,
        heights: Type.String(),
      },
      closed,
    ),
    images: Type.Object({ given: Figure, oriented: Figure, nadir: Figure }, closed),
    adjustment: Type.Object(
      {
        tie_points: Figure,
        observations: Figure,
        observations_per_point: Figure,
        reprojection_rms: Figure,
        reprojection_limit: Figure,
        dropped_tracks: Figure,
        gps_residual_horizontal: Figure,
        gps_residual_vertical: Figure,
        gps_bias_east: Figure,
        gps_bias_north: Figure,
        gps_bias_up: Figure,
        scale_sigma: Figure,
        volume_sigma_from_scale: Figure,
        scale_from: Type.String(),
        control_rms: Figure,
        check_rms: Figure,
        leave_one_out_rms: Figure,
        control_sigma_horizontal: Figure,
        control_sigma_vertical: Figure,
      },
      closed,
    ),
    control: Type.Array(Control),
    lenses: Type.Array(Lens),
    surface: Type.Object(
      {
        cell: Figure,
        ground_sample_distance: Figure,
        matched_sample_distance: Figure,
        flying_height: Figure,
        area: Figure,
        coverage: Figure,
        lowest: Figure,
        highest: Figure,
        views_mean: Figure,
        three_views_or_more: Figure,
        score_mean: Figure,
        score_histogram: Type.Array(
          Type.Object({ from: Type.Number(), to: Type.Number(), cells: Type.Integer() }, closed),
        ),
        orthophoto_cell: Figure,
      },
      closed,
    ),
    findings: Type.Array(Finding),
    image_table: Type.Array(ImageRow),
    /** Every image that was sent, also those that could not be read. */
    image_uses: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          use: Type.Enum([...IMAGE_USES]),
          reason: Type.Union([Type.String(), Type.Null()]),
        },
        closed,
      ),
    ),
  },
  { title: "SurveyReport", additionalProperties: false },
);
export type SurveyReport = Static<typeof SurveyReport>;
