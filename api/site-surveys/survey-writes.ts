import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { DomainError } from "../../domain/errors.ts";
import { type CaptureId, isId, JobId, ProjectId, SurveyId } from "../../domain/ids.ts";
import { type Capture, captureFolder, MOST_CAPTURE_IMAGES } from "../../domain/sites/capture.ts";
import type { SiteSurvey } from "../../domain/sites/site-survey.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import type { Files } from "../../storage/open.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { visibleProject } from "../access/asset-access.ts";
import { principal } from "../auth/guard.ts";
import { seesProject } from "../auth/principal.ts";
import type { JobDependencies } from "../dependencies/dependencies.ts";
import { FAILURES, WRITE_FAILURES } from "../errors/error.ts";
import { createJobForecast } from "../job-views/job-forecast.ts";
import { cancelCapture } from "../progress/captures/cancel-capture.ts";
import { readCapture } from "../progress/captures/capture-body.ts";
import { CaptureIntake } from "../progress/captures/capture-intake.ts";
import { createCaptureStatuses } from "../progress/captures/capture-status.ts";
import { FlightMetadata } from "../progress/captures/flight-metadata.ts";
import { timestampOf } from "../schemas/timestamp.ts";
import { imageList, type NamedUploads, withUploads } from "../surveys/image-entries.ts";
import { sendImageError } from "../surveys/image-routes.ts";
import { invalidParameter, withBody } from "../validation/validation.ts";
import { deleteFolder } from "../writes/delete-folder.ts";
import { visibleSurvey } from "./survey-access.ts";
import { SurveyPath } from "./survey-schemas.ts";

export interface SurveyWritesOptions {
  readonly records: Pick<RecordStore, "captures" | "jobs" | "surveys" | "transaction">;
  readonly directory: AssetDirectory;
  readonly jobs: JobDependencies;
  readonly files: Pick<Files, "keyOf" | "store">;
  /** Absent: no body can name an upload. */
  readonly uploads: NamedUploads | undefined;
  readonly now: () => number;
}

const NewSurvey = Type.Object(
  {
    project_id: ProjectId,
    images: imageList(
      MOST_CAPTURE_IMAGES,
      "Five photographs or more, or one GeoTIFF of heights, or `flight_metadata.dsm_url`",
    ),
    flight_metadata: Type.Optional(FlightMetadata),
  },
  { title: "NewSurvey" },
);

const AcceptedSurvey = Type.Object(
  {
    id: SurveyId,
    job_id: JobId,
    status: Type.Literal("processing"),
    estimated_completion: timestampOf("Within a factor of two at best"),
    images_count: Type.Integer({ description: "Images that were received" }),
  },
  { title: "AcceptedSurvey" },
);

/** Of a fixed camera, or of photographs of one zone: a survey is of neither. */
const NOT_OF_A_SURVEY = ["camera_id", "zone_id", "taken_at"] as const;

/** Surveys for their own sake: no stockpile and no zone is needed; mounted at `/api/v1`. */
const surveyWrites: FastifyPluginAsyncTypebox<SurveyWritesOptions> = async (app, options) => {
  const { records, directory, jobs, files, uploads, now } = options;
  const forecast = createJobForecast(records.jobs, jobs.jobsAtOnce, now);
  const statuses = createCaptureStatuses(records.captures, records.jobs, now);
  const intake = new CaptureIntake({ records, jobs, forecast, now });
  const entryRules = { addresses: jobs.addresses, keyOf: (url: string) => files.keyOf(url) };

  /** A survey that was sent for itself, also one that is not ready or failed; `undefined`: there is none to be seen. */
  async function ownSurvey(
    key: Parameters<typeof seesProject>[0],
    id: string,
  ): Promise<Capture | undefined> {
    const found = isId(id) ? await records.captures.find(id as string as CaptureId) : undefined;
    return found?.purpose === "survey" && seesProject(key, found.project_id) ? found : undefined;
  }

  app.post(
    "/surveys",
    {
      config: { access: "progress:write", once: "transaction", sends: ["Location"] },
      validatorCompiler: withBody(Type.Omit(NewSurvey, ["images"])),
      errorHandler: sendImageError,
      schema: {
        operationId: "createSurvey",
        tags: ["surveys"],
        summary: "Make a survey of images, without a stockpile or a zone",
        description:
          "Surface, orthophoto, model and, with `flight_metadata.exports`, point cloud, terrain and contours. Answers immediately; Location is the job. The survey appears in the list when it is done. It makes no progress report, and flights that measure progress are not placed by it. 429 as for POST /progress/captures.",
        body: NewSurvey,
        response: { 202: AcceptedSurvey, ...FAILURES },
      },
    },
    async (request, reply) => {
      const named = await withUploads(request, request.body.images, MOST_CAPTURE_IMAGES, uploads);
      const body = { ...request.body, images: named, capture_type: "drone" };
      const asked = readCapture(body, entryRules, now());
      const { id: projectId } = visibleProject(directory, request, request.body.project_id);
      for (const name of NOT_OF_A_SURVEY) {
        if (asked.metadata?.[name] === undefined) continue;
        throw invalidParameter(
          `flight_metadata.${name}`,
          "is not for surveys: POST /api/v1/progress/captures takes pictures of cameras and zones",
        );
      }
      const accepted = await intake.take(
        request,
        reply.code(202),
        { ...asked, projectId, purpose: "survey" },
        ({ id, job_id, estimated_completion, images_count }): Static<typeof AcceptedSurvey> => ({
          ...{ job_id, estimated_completion, images_count },
          id: id as string as SurveyId,
          status: "processing",
        }),
      );
      return reply.header("location", `/api/v1/jobs/${accepted.job_id}`).send(accepted);
    },
  );

  app.delete(
    "/surveys/:survey_id",
    {
      config: { access: "progress:write" },
      schema: {
        operationId: "deleteSurvey",
        tags: ["surveys"],
        summary: "Delete a survey of POST /surveys and its files",
        description:
          "One that is processing is canceled. 409: the survey belongs to a measurement or to a progress capture, whose figures rest on it.",
        params: SurveyPath,
        response: { 204: Type.Null(), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { survey_id } = request.params;
      const found = await ownSurvey(principal(request), survey_id);
      if (found === undefined) {
        throw inUse(await visibleSurvey(records.surveys, request, survey_id));
      }
      await cancelCapture(found, records, statuses, now());
      await records.captures.delete(found.id);
      deleteFolder(files.store, captureFolder(found.id), request.log);
      return await reply.code(204).send(null);
    },
  );
};

/** Why a survey cannot be deleted by itself. */
function inUse(survey: SiteSurvey): DomainError {
  const rests =
    survey.kind === "stockpile_measurement"
      ? `the measurement ${survey.measurement.id} of the stockpile ${survey.measurement.stockpile_id} rests on it, and goes with the stockpile`
      : `the progress capture ${survey.capture.id} rests on it: its zones and reports, and the flights after it`;
  return new DomainError("SURVEY_IN_USE", `The survey cannot be deleted: ${rests}`);
}

export default surveyWrites;
