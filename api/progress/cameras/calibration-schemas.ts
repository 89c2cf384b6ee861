import { type Static, Type } from "typebox";
import { CameraId, CaptureId, ObservationId, WorkZoneId } from "../../../domain/ids.ts";
import { orNull } from "../../schemas/or-null.ts";
import { listOf, Pagination } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

const Percent = Type.Number({ minimum: 0, maximum: 100, description: "Percent" });
const Stage = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "One of the zone's stages",
});
const Person = Type.String({ minLength: 1, maxLength: 200, description: "Who says so" });

/** Body of POST /progress/zones/{id}/calibrations. */
export const NewCalibration = Type.Object(
  {
    progress: Type.Optional(Percent),
    stage: Type.Optional(Stage),
    capture_id: Type.Optional(CaptureId),
    image_url: Type.Optional(
      Type.String({
        description: "http(s) URL, address that POST /progress/images gave, or data: URL in base64",
      }),
    ),
    camera_id: Type.Optional(CameraId),
    taken_at: Type.Optional(
      Type.String({
        format: "date-time",
        description:
          "When the image of image_url was taken. Absent: the time in its EXIF, else now",
      }),
    ),
    labelled_by: Type.Optional(Person),
  },
  { title: "NewCalibration" },
);
export type NewCalibration = Static<typeof NewCalibration>;

/** A label: an image of a zone whose progress a person stated. */
export const Calibration = Type.Object(
  {
    id: ObservationId,
    zone_id: WorkZoneId,
    camera_id: orNull(CameraId),
    capture_id: orNull(CaptureId),
    image_sha256: Type.String(),
    taken_at: Timestamp,
    progress: Percent,
    stage: orNull(Stage),
    labelled_by: Person,
    labelled_at: Timestamp,
    source: Type.Enum(["calibration", "observation", "correction"]),
    counts: Type.Boolean({
      description: "false: of an earlier reference view or outline",
    }),
  },
  { title: "Calibration" },
);
export type Calibration = Static<typeof Calibration>;

export const NewCalibrations = Type.Object(
  { data: Type.Array(Calibration) },
  { title: "NewCalibrations", description: "One label for each camera whose view was labelled" },
);

const Model = Type.Object(
  {
    camera_id: orNull(CameraId),
    labels: Type.Integer({ description: "Labels that count" }),
    is_ready: Type.Boolean({ description: "Whether it makes estimates" }),
    has_intervals: Type.Boolean({ description: "Whether they can be bounded" }),
    loo_mean_points: orNull(
      Type.Number({ description: "Mean error of leaving each label out, points" }),
    ),
    loo_95_points: orNull(Type.Number({ description: "95 % of them are smaller" })),
    loo_right: orNull(
      Type.Number({ description: "Of stages: share that is right when left out, 0 to 1" }),
    ),
    missing: orNull(Type.String({ description: "What it still needs to make estimates" })),
  },
  {
    title: "CalibrationModel",
    description: "The model of one camera; camera_id null: of photographs without a fixed view",
  },
);
export type Model = Static<typeof Model>;

export const CalibrationList = Type.Object(
  { data: Type.Array(Calibration), models: Type.Array(Model), pagination: Pagination },
  { title: "CalibrationList" },
);

const LabelRequest = Type.Object(
  {
    zone_id: WorkZoneId,
    zone_name: Type.String(),
    camera_id: orNull(CameraId),
    capture_id: CaptureId,
    taken_at: Timestamp,
    picture_url: Type.String({ description: "The image, good for some days" }),
    outline: orNull(
      Type.Array(Type.Array(Type.Number()), {
        description:
          "Of the zone in the reference view, shares of width and height; null: all of it",
      }),
    ),
    reason: Type.String({ description: "Why this one" }),
  },
  { title: "LabelRequest" },
);
export type LabelRequest = Static<typeof LabelRequest>;

export const LabelRequestList = listOf("LabelRequestList", LabelRequest);
