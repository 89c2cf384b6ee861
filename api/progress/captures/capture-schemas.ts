import { type Static, Type } from "typebox";
import { CameraId, CaptureId, ProjectId, ReportId, WorkZoneId } from "../../../domain/ids.ts";
import { CAPTURE_TYPES, NO_ESTIMATE } from "../../../domain/sites/capture.ts";
import { ErrorDetail } from "../../errors/error.ts";
import { Interval95 } from "../../schemas/interval.ts";
import { orNull } from "../../schemas/or-null.ts";
import { listOf } from "../../schemas/page.ts";
import { timestampOf } from "../../schemas/timestamp.ts";
import { VerticalDatumField } from "../../schemas/vertical-datum.ts";
import { SignedImageUrl } from "../../surveys/signed-image-url.ts";
import { SurveyExportUrls } from "../../surveys/survey-exports.ts";

const Address = (description: string) =>
  Type.String({ format: "uri", description: `${description}; opens without a header for 6 days` });

/** Fields of the contract. */
const CONTRACT_FIELDS = {
  id: CaptureId,
  status: Type.Enum(["processing", "completed", "failed"]),
  estimated_completion: timestampOf(
    "While it is processing: estimated anew, never in the past; then when it ended",
  ),
  images_count: Type.Integer({ description: "Images that were received" }),
};

/** A capture as POST /progress/captures answers it: the contract's fields and no others. */
export const AcceptedCapture = Type.Object(CONTRACT_FIELDS, { title: "AcceptedCapture" });

/** Why a capture failed. */
const CaptureError = Type.Object(
  {
    code: Type.Enum([
      "canceled",
      "unusable_images",
      "payload_too_large",
      "invalid_parameter",
      "insufficient_storage",
      "quota_exceeded",
      "internal_error",
    ]),
    message: Type.String(),
    details: Type.Optional(Type.Array(ErrorDetail, { description: "The gate that refused it" })),
  },
  { title: "CaptureFailure" },
);

/** The fields of a capture in lists. */
const SUMMARY_FIELDS = {
  ...CONTRACT_FIELDS,
  project_id: ProjectId,
  capture_type: Type.Enum([...CAPTURE_TYPES]),
  purpose: Type.Enum(["progress", "survey"], {
    description: "survey: sent to POST /surveys; no zone is compared, and there is no report",
  }),
  progress: Type.Number({ minimum: 0, maximum: 100, description: "Percent of the work on it" }),
  stage: Type.String({ description: "What is being done; queued, completed or failed else" }),
  report_id: orNull(ReportId),
  no_report: orNull(Type.String({ description: "Why there is no report of a completed capture" })),
  error: orNull(CaptureError),
  warnings: Type.Array(Type.String()),
  created_at: timestampOf("When it was received"),
  completed_at: orNull(timestampOf("When it ended")),
  capture_date: orNull(timestampOf("When the images were taken; null until it is completed")),
};

export const ListedCapture = Type.Object(SUMMARY_FIELDS, { title: "ListedCapture" });
export type ListedCapture = Static<typeof ListedCapture>;

export const CaptureList = listOf("CaptureList", ListedCapture);

/** A capture with what came of each image and zone. */
export const Capture = Type.Object(
  {
    ...SUMMARY_FIELDS,
    flight_metadata: orNull(
      Type.Object({}, { additionalProperties: true, description: "As it was sent" }),
    ),
    images: Type.Array(
      Type.Object({
        url: Type.String({ description: "As it was sent, without signatures of addresses" }),
        signed_url: SignedImageUrl,
        status: Type.Enum(["used", "rejected", "camera_moved", "low_confidence", "not_used"]),
        reason: orNull(Type.String({ description: "Why not; null where it was used" })),
        camera_id: orNull(CameraId),
        change_index: orNull(
          Type.Number({
            minimum: 0,
            maximum: 1,
            description: "Change against the camera's reference view; not a percent of progress",
          }),
        ),
        taken_at: orNull(timestampOf("As in the image")),
      }),
      { description: "One for each image, in their order; empty until it is over" },
    ),
    zones: Type.Array(
      Type.Object({
        zone_id: WorkZoneId,
        method: Type.String(),
        raw_progress: orNull(
          Type.Number({ description: "Percent, before smoothing over time; null is not 0" }),
        ),
        interval_95: Interval95,
        observed_percent: Type.Number({ description: "Of the zone, that was seen" }),
        is_at_design: Type.Boolean(),
        no_estimate: orNull(Type.Enum([...NO_ESTIMATE])),
        notes: Type.Array(Type.String()),
        figures: Type.Object({}, { additionalProperties: true }),
      }),
      { description: "The capture's estimate of each zone" },
    ),
    products: orNull(
      Type.Object({
        dsm_url: Address("Surface, Cloud Optimized GeoTIFF"),
        orthomosaic_url: orNull(Address("True orthophoto, GeoTIFF")),
        orthomosaic_preview_url: orNull(Address("The orthophoto as a picture")),
        model_3d_url: Address("Textured model, GLB"),
        survey_report_url: Address("The survey's own quality report, one HTML page"),
        survey_report_pdf_url: Address(
          "The same as PDF, printed when opened; 501 where the server has no Chromium",
        ),
        exports: SurveyExportUrls,
        vertical_datum: VerticalDatumField,
      }),
    ),
  },
  { title: "Capture" },
);
export type Capture = Static<typeof Capture>;

export const CapturePath = Type.Object({ capture_id: CaptureId });
