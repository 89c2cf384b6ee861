import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import type { JobId, StockpileId } from "../../../domain/ids.ts";
import {
  MOST_MEASURE_IMAGES,
  measureJob,
} from "../../../processing/measurement/measure-request.ts";
import { measurementIdOf } from "../../../processing/measurement/measurement-id.ts";
import type { Files } from "../../../storage/open.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleStockpile } from "../../access/record-access.ts";
import type { JobDependencies } from "../../dependencies/dependencies.ts";
import { FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { Job, jobView } from "../../job-views/job-view.ts";
import { createJobWaits } from "../../long-requests/job-waits.ts";
import { PREFER, prefersAsync, RESPOND_ASYNC } from "../../long-requests/prefer-async.ts";
import { readInstant } from "../../schemas/instant.ts";
import { timestampOf } from "../../schemas/timestamp.ts";
import { SurfaceHeightUnit } from "../../schemas/vertical-datum.ts";
import { checkExportFields, EXPORT_FIELDS } from "../../surveys/export-fields.ts";
import {
  imageList,
  type NamedUploads,
  readImageEntries,
  withUploads,
} from "../../surveys/image-entries.ts";
import { requireWorkers, sendImageError } from "../../surveys/image-routes.ts";
import { checkSurveyFields, SURVEY_FIELDS } from "../../surveys/survey-fields.ts";
import { invalidParameter, withBody } from "../../validation/validation.ts";
import { begin, resumableJob } from "../../writes/once.ts";
import { StockpilePath } from "../stockpiles/stockpile-schemas.ts";
import { CONTROL_FIELDS, readControl } from "./control-schemas.ts";
import { jobFailure } from "./job-failure.ts";
import { createMeasureQueue } from "./measure-queue.ts";
import type { MeasurementLinks } from "./measurement-links.ts";
import { Measurement } from "./measurement-schemas.ts";
import { measurementView } from "./measurement-view.ts";
import { requireSurvey } from "./survey-images.ts";

export interface MeasureOptions {
  readonly records: Pick<RecordStore, "jobs" | "stockpiles" | "transaction">;
  readonly jobs: JobDependencies;
  readonly files: Pick<Files, "keyOf">;
  readonly links: MeasurementLinks;
  /** Absent: no body can name an upload. */
  readonly uploads: NamedUploads | undefined;
  readonly now: () => number;
}

const Images = imageList(
  MOST_MEASURE_IMAGES,
  "Drone images of the stockpile, five or more; or one GeoTIFF of heights (a DSM)",
);

const FlownAt = Type.Optional(
  timestampOf(
    "When it was flown; not in the future. Absent: the newest time in the images' EXIF, else now",
  ),
);

/** Body of POST /materials/stockpiles/{id}/measure, as it is described. */
const MeasureBody = Type.Object(
  {
    images: Images,
    flown_at: FlownAt,
    ...CONTROL_FIELDS,
    surface_height_unit: SurfaceHeightUnit,
    ...SURVEY_FIELDS,
    ...EXPORT_FIELDS,
  },
  { title: "MeasureRequest" },
);

const DESCRIPTION = `Waits until the volume is measured, which takes from seconds to minutes, and answers with it. The same request again, while the measurement runs or within 24 h after, gets the same measurement; so it is safe to send it again after a connection was lost, which cancels nothing. Up to 300 images, by URL, by the addresses that POST /progress/images gave, or as data: URLs as far as a body of 1 MiB holds them. Photographs in which nothing can be measured are answered with 400 \`unusable_images\`, and \`details\` that name the gate, its limit and what to do. When more than 10 min of work are waiting: 429 with Retry-After.

With \`Prefer: respond-async\` (RFC 7240) it does not wait: 202 with the job, and its path as Location; follow it by \`GET /jobs/{job_id}\` or the live stream.`;

/** Measuring a stockpile from images; mounted at `/api/v1/materials`. */
const measure: FastifyPluginAsyncTypebox<MeasureOptions> = async (app, options) => {
  const { records, files, links, uploads, now } = options;
  const { watch, added, jobsAtOnce, addresses } = options.jobs;
  const queue = createMeasureQueue(records.jobs, jobsAtOnce);
  const waits = createJobWaits(app, watch, "measurement");
  const entryRules = { addresses, keyOf: (url: string) => files.keyOf(url) };

  async function measurementOf(id: StockpileId, jobId: JobId) {
    const measurementId = measurementIdOf(jobId);
    const found = await records.stockpiles.findMeasurement(id, measurementId);
    if (found === undefined) throw new DomainError("MEASUREMENT_NOT_FOUND", measurementId);
    return await measurementView(found, links);
  }

  app.post(
    "/stockpiles/:stockpile_id/measure",
    {
      config: {
        access: "materials:write",
        contract: true,
        joinsItself: true,
        once: "begun",
        sendsIfAsync: ["Location", "Preference-Applied"],
      },
      validatorCompiler: withBody(Type.Omit(MeasureBody, ["images"])),
      errorHandler: sendImageError,
      schema: {
        operationId: "measureStockpile",
        tags: ["materials"],
        summary: "Trigger a new volume measurement from drone images",
        description: DESCRIPTION,
        params: StockpilePath,
        headers: PREFER,
        body: MeasureBody,
        response: { 200: Measurement, 202: Job, ...FAILURES },
      },
    },
    async (request, reply) => {
      const images = await withUploads(request, request.body.images, MOST_MEASURE_IMAGES, uploads);
      const entries = readImageEntries(images, entryRules, MOST_MEASURE_IMAGES);
      requireSurvey(entries);
      const { urls, identities } = entries;
      const control = readControl(request.body);
      checkExportFields(request.body);
      checkSurveyFields(request.body);
      const { exports, contour_interval_m: contourIntervalM } = request.body;
      const { surface_height_unit: heightUnit, geoid_grid: geoidGrid } = request.body;
      const { output_crs: outputCrs, profile, orthophoto } = request.body;
      const requestedAtMs = now();
      const flownAtMs = readFlownAt(request.body.flown_at, requestedAtMs);
      const stockpile = await visibleStockpile(
        records.stockpiles,
        request,
        request.params.stockpile_id,
      );
      requireWorkers(options.jobs);
      const resumed = await resumableJob(request, records.jobs);
      const asked = {
        requestedAtMs,
        ...(flownAtMs === undefined ? {} : { flownAtMs }),
        ...control,
        ...(heightUnit === undefined ? {} : { heightUnit }),
        ...(outputCrs === undefined ? {} : { outputCrs }),
        ...(geoidGrid === undefined ? {} : { geoidGrid }),
        // A default value and an absent one are the same request.
        ...(profile === "full" ? { profile } : {}),
        ...(orthophoto === "native" ? { orthophoto } : {}),
        ...(exports === true ? { exports } : {}),
        ...(contourIntervalM === undefined ? {} : { contourIntervalM }),
      };
      const wanted = {
        ...measureJob(stockpile, { ...asked, images: urls.slice() }),
        // An uploaded image is the same under each of its signed addresses.
        dedupeKey: measureJob(stockpile, { ...asked, images: identities.slice() }).dedupeKey,
      };
      const entered =
        resumed === undefined
          ? await queue.enter(wanted, (job) =>
              begin(request, reply, records, async ({ jobs }) => (await jobs.add(job)).job),
            )
          : { job: resumed };
      if ("retryInS" in entered) {
        reply.header("retry-after", entered.retryInS);
        throw new Refusal(429, "rate_limit_exceeded", "More than 10 min of work are waiting");
      }
      added();
      if (prefersAsync(request)) {
        reply.header("location", `/api/v1/jobs/${entered.job.id}`);
        reply.header("preference-applied", RESPOND_ASYNC);
        return await reply.code(202).send(jobView(entered.job));
      }
      const job = await waits.untilOver(entered.job.id, request, reply);
      if (job.state !== "completed") throw jobFailure(job);
      return await measurementOf(stockpile.id, job.id);
    },
  );
};

/** @throws ParameterError for a flight of the future. */
function readFlownAt(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const flownAtMs = readInstant("flown_at", text);
  if (flownAtMs > nowMs) throw invalidParameter("flown_at", "must not lie in the future");
  return flownAtMs;
}

export default measure;
