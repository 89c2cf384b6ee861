import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { DomainError, type ErrorCode } from "../../../domain/errors.ts";
import { newId, ObservationId, WorkZoneId } from "../../../domain/ids.ts";
import type { ZoneLabel, ZoneView } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import { labelIdOf, labelJob } from "../../../processing/progress/camera/label-request.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";
import { visibleCapture, visibleZone } from "../../access/record-access.ts";
import { principal } from "../../auth/guard.ts";
import { nameOfKey } from "../../auth/key-name.ts";
import { WRITE_FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { createJobWaits } from "../../long-requests/job-waits.ts";
import { readInstant } from "../../schemas/instant.ts";
import { addressProblem, readImageEntries } from "../../surveys/image-entries.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { begin, once, resumableJob } from "../../writes/once.ts";
import { readProgress } from "../zones/stated-progress.ts";
import { ZonePath } from "../zones/zone-schemas.ts";
import { NewCalibration, NewCalibrations } from "./calibration-schemas.ts";
import { calibrationView } from "./calibration-view.ts";
import type { CameraRoutesOptions } from "./camera-options.ts";

const DESCRIPTION = `With \`capture_id\`: labels that capture's views of the zone, at once. With \`image_url\` and \`camera_id\`: the image is registered to the reference view first, which takes seconds; without \`camera_id\` it is a photograph for the metric stages. Estimates need 5 labels, intervals 9; stages 5 each.`;

const NOBODY_WORKS =
  "This service does not process images (WORKERS=0), and shares no database with one that does";

/** Failures of the job that lie in what the client sent, or in what is not there any more. */
const ITS_OWN: readonly ErrorCode[] = [
  "IMAGE_REFUSED",
  "IMAGES_UNUSABLE",
  "PARAMETER_INVALID",
  "CAMERA_NOT_FOUND",
  "ZONE_NOT_FOUND",
];

/** Labelling views of zones; mounted at `/api/v1/progress`. */
const calibrationWrites: FastifyPluginAsyncTypebox<CameraRoutesOptions> = async (app, options) => {
  const { records, files, jobs, now } = options;
  const { siteCameras, workZones, captures } = records;
  const waits = jobs && createJobWaits(app, jobs.watch, "label");

  app.post(
    "/zones/:zone_id/calibrations",
    {
      config: { access: "progress:write", once: "begun" },
      schema: {
        operationId: "createCalibration",
        tags: ["progress"],
        summary: "Label an image of a zone with its progress, or its stage",
        description: DESCRIPTION,
        params: ZonePath,
        body: NewCalibration,
        response: { 201: NewCalibrations, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const zone = await visibleZone(workZones, request, request.params.zone_id);
      if (zone.metric.kind !== "image" && zone.metric.kind !== "stages") {
        const message = `names a zone of the metric ${zone.metric.kind}; labels are for image and stages`;
        throw invalidParameter("zone_id", message);
      }
      const stated = readProgress(body, zone);
      if (zone.metric.kind === "stages" && stated.stage === undefined) {
        throw invalidParameter("stage", "is required: the zone's metric is stages");
      }
      if ((body.capture_id === undefined) === (body.image_url === undefined)) {
        throw invalidParameter("capture_id", "or image_url is required, one of them");
      }
      const { cameras } = await siteCameras.list({ projectIds: [zone.project_id], offset: 0 });
      const viewOf = (labels: readonly ZoneLabel[]) => ({
        data: labels.map((label) => calibrationView(label, cameras)),
      });
      reply.code(201);
      if (body.image_url !== undefined) {
        return viewOf(await labelImage(request, reply, zone, stated, body.image_url));
      }
      const labels = await labelsOfCapture(request, zone, stated);
      return await once(request, reply, records, async (transaction) => {
        for (const label of labels) await transaction.siteCameras.addLabel(label);
        return viewOf(labels);
      });
    },
  );

  app.delete(
    "/zones/:zone_id/calibrations/:label_id",
    {
      config: { access: "progress:write" },
      schema: {
        operationId: "deleteCalibration",
        tags: ["progress"],
        summary: "Withdraw a label; reports keep their figures",
        params: Type.Object({ zone_id: WorkZoneId, label_id: ObservationId }),
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { id } = await visibleZone(workZones, request, request.params.zone_id);
      await siteCameras.deleteLabel(id, request.params.label_id);
      return reply.code(204).send(null);
    },
  );

  type Stated = ReturnType<typeof readProgress>;
  type Body = FastifyRequest<{ Body: NewCalibration }>;

  async function labelsOfCapture(
    request: Body,
    zone: WorkZone,
    { progress, stage }: Stated,
  ): Promise<readonly ZoneLabel[]> {
    const { capture_id, camera_id, labelled_by } = request.body;
    if (capture_id === undefined) return [];
    const capture = await visibleCapture(captures, request, capture_id);
    const views = (await siteCameras.views(capture.id)).filter(
      (view) =>
        view.zone_id === zone.id && (camera_id === undefined || view.camera_id === camera_id),
    );
    if (views.length === 0) {
      const why = capture.state === "processing" ? " so far; it is still processing" : "";
      throw invalidParameter("capture_id", `names a capture that left no view of the zone${why}`);
    }
    const by = labelled_by ?? (await nameOfKey(records.apiKeys, principal(request).keyId));
    const newest = new Map(views.map((view): [unknown, ZoneView] => [view.camera_id, view]));
    return [...newest.values()].map(
      (view): ZoneLabel => ({
        ...view,
        id: newId("obs"),
        progress,
        stage,
        labelled_by: by,
        labelled_at: new Date(now()).toISOString(),
        source: "calibration",
      }),
    );
  }

  async function labelImage(
    request: Body,
    reply: FastifyReply,
    zone: WorkZone,
    stated: Stated,
    imageUrl: string,
  ): Promise<readonly ZoneLabel[]> {
    const { camera_id, labelled_by, taken_at } = request.body;
    await checkCamera(zone, camera_id);
    if (jobs === undefined || waits === undefined || !jobs.isWorkedOn) {
      throw new Refusal(500, "internal_error", NOBODY_WORKS);
    }
    const rules = { addresses: jobs.addresses, keyOf: (url: string) => files.keyOf(url) };
    const problem = /^data:/i.test(imageUrl) ? undefined : addressProblem(imageUrl, rules);
    if (problem !== undefined) throw invalidParameter("image_url", problem);
    const { identities } = readImageEntries([imageUrl], rules, 1);
    const nowMs = now();
    const takenAtMs = taken_at === undefined ? undefined : readInstant("taken_at", taken_at);
    if (takenAtMs !== undefined && takenAtMs > nowMs) {
      throw invalidParameter("taken_at", "must not lie in the future");
    }
    const resumed = await resumableJob(request, records.jobs);
    const wanted = labelJob(
      zone.project_id,
      {
        zoneId: zone.id,
        ...(camera_id === undefined ? {} : { cameraId: camera_id }),
        image: imageUrl,
        progress: stated.progress,
        ...(stated.stage === undefined ? {} : { stage: stated.stage }),
        labelledBy: labelled_by ?? (await nameOfKey(records.apiKeys, principal(request).keyId)),
        labelledAtMs: nowMs,
        ...(takenAtMs === undefined ? {} : { takenAtMs }),
      },
      identities[0] ?? imageUrl,
    );
    const job =
      resumed ??
      (await begin(
        request,
        reply,
        records,
        async (transaction) => (await transaction.jobs.add(wanted)).job,
      ));
    jobs.added();
    const over = await waits.untilOver(job.id, request, reply);
    if (over.state !== "completed") throw labelFailure(over);
    const id = labelIdOf(job.id);
    const label = (await siteCameras.labels([zone.id])).find((one) => one.id === id);
    if (label === undefined) throw new DomainError("OBSERVATION_NOT_FOUND", `no label ${id}`);
    return [label];
  }

  /** @throws ParameterError for a camera that does not see the zone, or does not exist. */
  async function checkCamera(zone: WorkZone, cameraId: NewCalibration["camera_id"]): Promise<void> {
    if (cameraId === undefined) {
      if (zone.metric.kind === "stages") return;
      const message =
        "is required with image_url: photographs without a fixed view show only stages";
      throw invalidParameter("camera_id", message);
    }
    const camera = await siteCameras.find(cameraId);
    const isSeen = camera?.zones.some(({ zone_id }) => zone_id === zone.id) ?? false;
    if (!isSeen || camera?.project_id !== zone.project_id) {
      throw invalidParameter("camera_id", "names no camera that outlines the zone");
    }
    if (camera.state === "suspended") {
      throw invalidParameter(
        "camera_id",
        "names a camera that moved: set a new reference view first",
      );
    }
  }
};

function labelFailure({ state, error }: Pick<Job, "state" | "error">): Error {
  if (state === "canceled" || error === undefined) {
    return new Refusal(500, "internal_error", "The label was canceled");
  }
  const code = ITS_OWN.find((own) => own === error.code);
  return code === undefined
    ? new Refusal(500, "internal_error", `The label failed: ${error.message}`)
    : new DomainError(code, error.message);
}

export default calibrationWrites;
