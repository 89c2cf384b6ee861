import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { type CaptureId, newId, type ObservationId } from "../../../domain/ids.ts";
import type { Capture } from "../../../domain/sites/capture.ts";
import type { ZoneLabel, ZoneObservation } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleCapture, visibleZone } from "../../access/record-access.ts";
import { principal } from "../../auth/guard.ts";
import { nameOfKey } from "../../auth/key-name.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import type { FileLinks } from "../../representations/file-links.ts";
import { readInstant } from "../../schemas/instant.ts";
import { pageOf, sortedBy } from "../../schemas/page.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { once } from "../../writes/once.ts";
import { type PhotoFiles, readPhoto } from "./observation-photo.ts";
import {
  NewObservation,
  type Observation,
  ObservationList,
  ObservationWithLabels,
} from "./observation-schemas.ts";
import { readProgress } from "./stated-progress.ts";
import { ZonePath } from "./zone-schemas.ts";

/** The order of the list. */
const ORDER = sortedBy("-observed_at");

export interface ObservationsOptions {
  readonly records: Pick<
    RecordStore,
    "workZones" | "captures" | "siteCameras" | "apiKeys" | "transaction"
  >;
  /** Absent: no photographs are kept. */
  readonly files: PhotoFiles | undefined;
  readonly links: Pick<FileLinks, "own"> | undefined;
  readonly now: () => number;
}

/** What people say of work zones; mounted at `/api/v1/progress`. */
const observations: FastifyPluginAsyncTypebox<ObservationsOptions> = async (
  app,
  { records, files, links, now },
) => {
  const { workZones, captures, siteCameras } = records;

  app.post(
    "/zones/:zone_id/observations",
    {
      config: { access: "progress:write", once: "transaction" },
      schema: {
        operationId: "createObservation",
        tags: ["progress"],
        summary: "Record what a person saw of a work zone",
        description:
          "Reports of later captures count it as evidence; 100 confirms the zone complete.",
        params: ZonePath,
        body: NewObservation,
        response: { 201: ObservationWithLabels, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const nowMs = now();
      const zone = await visibleZone(workZones, request, request.params.zone_id);
      const { progress, stage } = readProgress(body, zone);
      const interval_95 = readInterval(body.interval_95, progress);
      const capture =
        body.capture_id === undefined ? undefined : await captureOf(request, body.capture_id, zone);
      const photo = body.image_url === undefined ? undefined : readPhoto(body.image_url, files);
      const observation: ZoneObservation = {
        id: newId<ObservationId>("obs"),
        zone_id: zone.id,
        project_id: zone.project_id,
        progress,
        interval_95,
        observed_at: readObservedAt(body.observed_at, capture?.capture_date, nowMs),
        observed_by:
          body.observed_by ?? (await nameOfKey(records.apiKeys, principal(request).keyId)),
        note: body.note ?? "",
        image_key: await photo?.keep(zone.id),
        recorded_at: new Date(nowMs).toISOString(),
        source: "observation",
      };
      const labels = capture === undefined ? [] : await labelsOf(observation, stage, capture.id);
      try {
        return await once(request, reply.code(201), records, async (transaction) => {
          await transaction.workZones.addObservation(observation);
          for (const label of labels) await transaction.siteCameras.addLabel(label);
          return { ...observationView(observation), labels: labels.length };
        });
      } catch (error) {
        photo?.removeIfGone(error, zone.id, request);
        throw error;
      }
    },
  );

  app.get(
    "/zones/:zone_id/observations",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "listObservations",
        tags: ["progress"],
        summary: "Observations of a work zone by people, newest first",
        params: ZonePath,
        querystring: Type.Object(ORDER.parameters),
        response: { 200: ObservationList, ...FAILURES },
      },
    },
    async (request) => {
      const { id } = await visibleZone(workZones, request, request.params.zone_id);
      const all = await workZones.observations([id], Number.MAX_SAFE_INTEGER);
      return pageOf(all.toReversed().map(observationView), ORDER.pageOf(request.query));
    },
  );

  function observationView({ interval_95, image_key, ...rest }: ZoneObservation): Observation {
    const image_url = image_key === undefined ? undefined : links?.own(image_key);
    return {
      ...rest,
      ...(interval_95 === undefined ? {} : { interval_95: [...interval_95] }),
      ...(image_url === undefined ? {} : { image_url }),
    };
  }

  /** A capture of the zone's project; any other one is answered like a missing one. */
  async function captureOf(
    request: FastifyRequest,
    id: CaptureId,
    zone: WorkZone,
  ): Promise<Capture> {
    try {
      const capture = await visibleCapture(captures, request, id);
      if (capture.project_id === zone.project_id) return capture;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== "CAPTURE_NOT_FOUND") throw error;
    }
    throw invalidParameter("capture_id", "names no capture of the zone's project");
  }

  /** What a capture saw of the zone, as labels. */
  async function labelsOf(
    { zone_id, progress, observed_by, recorded_at }: ZoneObservation,
    stage: string | undefined,
    captureId: CaptureId,
  ): Promise<readonly ZoneLabel[]> {
    const views = await siteCameras.views(captureId);
    return views
      .filter((view) => view.zone_id === zone_id)
      .map(
        (view): ZoneLabel => ({
          ...view,
          id: newId<ObservationId>("obs"),
          progress,
          stage,
          labelled_by: observed_by,
          labelled_at: recorded_at,
          source: "observation",
        }),
      );
  }
};

function readInterval(
  interval: readonly number[] | undefined,
  progress: number,
): ZoneObservation["interval_95"] {
  if (interval === undefined) return undefined;
  const [low = 0, high = 100] = interval;
  if (low <= progress && progress <= high) return [low + 0, high + 0];
  const message = `must rise and hold the progress: ${progress} is not within ${low} to ${high}`;
  throw invalidParameter("interval_95", message);
}

/** When it was so, ISO 8601. */
function readObservedAt(
  observedAt: string | undefined,
  capturedAt: string | undefined,
  nowMs: number,
): string {
  // The clock of a camera may be wrong.
  const takenMs = Math.min(nowMs, capturedAt === undefined ? nowMs : Date.parse(capturedAt));
  const atMs = observedAt === undefined ? takenMs : readInstant("observed_at", observedAt);
  if (atMs > nowMs) throw invalidParameter("observed_at", "must not lie in the future");
  return new Date(atMs).toISOString();
}

export default observations;
