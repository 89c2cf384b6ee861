import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import type { ProjectId } from "../../../domain/ids.ts";
import { MOST_CAPTURE_IMAGES } from "../../../domain/sites/capture.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { Files } from "../../../storage/open.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { visibleCapture } from "../../access/record-access.ts";
import type { JobDependencies } from "../../dependencies/dependencies.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import type { JobForecast } from "../../job-views/job-forecast.ts";
import { type NamedUploads, withUploads } from "../../surveys/image-entries.ts";
import { sendImageError } from "../../surveys/image-routes.ts";
import { invalidParameter, withBody } from "../../validation/validation.ts";
import { requireMatch } from "../../writes/resource-tag.ts";
import { cancelCapture } from "./cancel-capture.ts";
import { NewCapture, READ_BY_ROUTE, readCapture } from "./capture-body.ts";
import { CANCELLATION } from "./capture-failure.ts";
import { CaptureIntake } from "./capture-intake.ts";
import { AcceptedCapture, Capture, CapturePath } from "./capture-schemas.ts";
import type { CaptureStatuses } from "./capture-status.ts";
import type { CaptureViews } from "./capture-view.ts";
import type { FlightMetadata } from "./flight-metadata.ts";

export interface CaptureWritesOptions {
  readonly records: Pick<
    RecordStore,
    "captures" | "jobs" | "siteCameras" | "workZones" | "transaction"
  >;
  readonly directory: AssetDirectory;
  readonly jobs: JobDependencies;
  readonly files: Pick<Files, "keyOf">;
  readonly forecast: JobForecast;
  readonly statuses: CaptureStatuses;
  readonly views: CaptureViews;
  /** Absent: no body can name an upload. */
  readonly uploads: NamedUploads | undefined;
  readonly now: () => number;
}

const DESCRIPTION = `Answers immediately; GET the Location to follow the analysis. Images by URL, by the addresses that POST /progress/images gave, or as data: URLs as far as a body of 1 MiB holds them. Unusable images are named in the capture; it fails only when all of them are unusable. When 250 captures of the project or more than 24 h of work are waiting before it: 429 with Retry-After.`;

/** Sending imagery for analysis, and canceling it; mounted at `/api/v1/progress`. */
const captureWrites: FastifyPluginAsyncTypebox<CaptureWritesOptions> = async (app, options) => {
  const { records, directory, jobs, files, forecast, statuses, views, uploads, now } = options;
  const { captures, siteCameras, workZones } = records;
  const intake = new CaptureIntake({ records, jobs, forecast, now });
  const entryRules = { addresses: jobs.addresses, keyOf: (url: string) => files.keyOf(url) };

  /** @throws ParameterError for a camera or a zone that is not there or another project's: alike. */
  async function checkNames(
    { camera_id, zone_id }: FlightMetadata,
    projectId: ProjectId,
  ): Promise<void> {
    const camera = camera_id && (await siteCameras.find(camera_id));
    if (camera_id !== undefined && camera?.project_id !== projectId) {
      throw invalidParameter("flight_metadata.camera_id", "names no camera of the project");
    }
    const zone = zone_id && (await workZones.find(zone_id));
    if (zone_id !== undefined && zone?.project_id !== projectId) {
      throw invalidParameter("flight_metadata.zone_id", "names no zone of the project");
    }
  }

  app.post(
    "/captures",
    {
      config: {
        access: "progress:write",
        contract: true,
        once: "transaction",
        sends: ["Location"],
      },
      validatorCompiler: withBody(Type.Omit(NewCapture, READ_BY_ROUTE)),
      errorHandler: sendImageError,
      schema: {
        operationId: "createCapture",
        tags: ["progress"],
        summary: "Submit imagery of a project for analysis",
        description: DESCRIPTION,
        body: NewCapture,
        response: { 201: AcceptedCapture, ...FAILURES },
      },
    },
    async (request, reply) => {
      const named = await withUploads(request, request.body.images, MOST_CAPTURE_IMAGES, uploads);
      const asked = readCapture({ ...request.body, images: named }, entryRules, now());
      const { id: projectId } = visibleProject(directory, request, request.body.project_id);
      if (asked.metadata !== undefined) await checkNames(asked.metadata, projectId);
      const stored = await intake.take(
        request,
        reply.code(201),
        { ...asked, projectId },
        ({ id, estimated_completion, images_count }) => ({
          ...{ id, estimated_completion, images_count },
          status: "processing" as const,
        }),
      );
      return reply.header("location", `/api/v1/progress/captures/${stored.id}`).send(stored);
    },
  );

  app.delete(
    "/captures/:capture_id",
    {
      config: { access: "progress:write", tagged: true },
      schema: {
        operationId: "cancelCapture",
        tags: ["progress"],
        summary: "Cancel a capture that is processing",
        description:
          "The capture is then failed with the code `canceled`. 409: it has ended in another way.",
        params: CapturePath,
        response: { 200: Capture, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const found = await visibleCapture(captures, request, request.params.capture_id);
      requireMatch(request, found);
      await cancelCapture(found, records, statuses, now());
      const after = await statuses.of(await visibleCapture(captures, request, found.id));
      if (after.error?.code !== CANCELLATION.code) {
        throw new DomainError("CAPTURE_FINISHED", `The capture is ${after.state} already`);
      }
      return (await views.whole(after)).view;
    },
  );
};

export default captureWrites;
