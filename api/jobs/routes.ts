import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { DomainError } from "../../domain/errors.ts";
import { isId, JobId, ProjectId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import { MEASURE_JOB, readMeasureRequest } from "../../processing/measurement/measure-request.ts";
import { measurementIdOf } from "../../processing/measurement/measurement-id.ts";
import { LABEL_JOB, readLabelRequest } from "../../processing/progress/camera/label-request.ts";
import {
  CAPTURE_JOB,
  readCaptureRequest,
} from "../../processing/progress/capture/capture-request.ts";
import type { Job as StoredJob } from "../../storage/ports/platform/jobs.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { visibleProjects } from "../access/asset-access.ts";
import { principal } from "../auth/guard.ts";
import { needsOneOf } from "../auth/needs-one-of.ts";
import { hasScope, seesProject } from "../auth/principal.ts";
import { FAILURES, WRITE_FAILURES } from "../errors/error.ts";
import { Refusal } from "../errors/refusal.ts";
import { createJobForecast, pollAfterS } from "../job-views/job-forecast.ts";
import {
  JOB_KINDS,
  JOB_STATES,
  Job,
  jobView,
  scopeOfJobs,
  seesJobs,
} from "../job-views/job-view.ts";
import { cancelCapture } from "../progress/captures/cancel-capture.ts";
import { createCaptureStatuses } from "../progress/captures/capture-status.ts";
import { listOf, paginationOf, sortedBy } from "../schemas/page.ts";
import { severalOf } from "../schemas/several.ts";

export interface JobRoutesOptions {
  readonly records: Pick<RecordStore, "captures" | "jobs">;
  readonly directory: AssetDirectory;
  /** Jobs that are worked on at once, in all runners. */
  readonly jobsAtOnce: number;
  /** Service clock, ms since the Unix epoch. */
  readonly now: () => number;
}

const JobDetail = Type.Object(
  {
    ...Job.properties,
    seconds_left: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description:
        "Until it is done, those before it included, by how fast such work has been lately: within a factor of two at best. null: it has ended",
    }),
    subject: Type.String({
      description: "Path of what it works on: a stockpile, a capture or a zone",
    }),
    result: Type.Union([Type.String(), Type.Null()], {
      description: "Path of what it made; null: nothing yet, or it failed",
    }),
  },
  { title: "JobDetail" },
);
type JobDetail = Static<typeof JobDetail>;

/** The order of the list. */
const ORDER = sortedBy("-created_at");
const JobPath = Type.Object({ job_id: JobId });
/** What is worked on, by whom it was asked; mounted at `/api/v1`. */
const jobRoutes: FastifyPluginAsyncTypebox<JobRoutesOptions> = async (app, options) => {
  const { records, directory, jobsAtOnce, now } = options;
  const forecast = createJobForecast(records.jobs, jobsAtOnce, now);
  const statuses = createCaptureStatuses(records.captures, records.jobs, now);
  const reads = needsOneOf("materials:read", "progress:read");

  /** @throws DomainError `JOB_NOT_FOUND`, the same for an absent job and for one that the key may not see. */
  async function visibleJob(request: FastifyRequest, id: JobId): Promise<StoredJob> {
    const found = isId(id) ? await records.jobs.find(id) : undefined;
    const key = principal(request);
    const isSeen =
      found !== undefined &&
      seesJobs(key, found.kind) &&
      (found.projectId === undefined
        ? key.projectIds === undefined
        : seesProject(key, found.projectId));
    if (!isSeen) throw new DomainError("JOB_NOT_FOUND", `no job ${id}`);
    return found;
  }

  async function detailOf(job: StoredJob): Promise<JobDetail> {
    const isOpen = job.state === "queued" || job.state === "running";
    const { subject, result } = pathsOf(job);
    return {
      ...jobView(job),
      seconds_left: isOpen ? await forecast.ofOpen(job) : null,
      subject,
      result: job.state === "completed" ? result : null,
    };
  }

  app.get(
    "/jobs",
    {
      config: { access: "any key" },
      onRequest: reads,
      schema: {
        operationId: "listJobs",
        tags: ["platform"],
        summary: "Measurements, captures and labels that are worked on or were, newest first",
        description: "Of the areas that the key may read. Ended ones are kept for 30 days.",
        querystring: Type.Object({
          project_id: Type.Optional(ProjectId),
          kind: severalOf(Type.Enum([...JOB_KINDS])),
          status: severalOf(Type.Enum([...JOB_STATES])),
          ...ORDER.parameters,
        }),
        response: { 200: listOf("JobList", Job), ...FAILURES },
      },
    },
    async (request) => {
      const { project_id, kind = JOB_KINDS, status } = request.query;
      const key = principal(request);
      const page = ORDER.pageOf(request.query);
      const found = await records.jobs.list({
        ...visibleProjects(directory, request, project_id),
        kinds: kind.filter((one) => seesJobs(key, one)),
        ...(status === undefined ? {} : { states: status }),
        ...page,
      });
      const data = found.jobs.map(jobView);
      return { data, pagination: paginationOf(page, data.length, found.total) };
    },
  );

  app.get(
    "/jobs/:job_id",
    {
      config: { access: "any key", sends: ["Retry-After"] },
      onRequest: reads,
      schema: {
        operationId: "getJob",
        tags: ["platform"],
        summary: "How far a job has come, and where its result is",
        description: "While it is queued or runs, Retry-After says when to poll again.",
        params: JobPath,
        response: { 200: JobDetail, ...FAILURES },
      },
    },
    async (request, reply) => {
      const detail = await detailOf(await visibleJob(request, request.params.job_id));
      if (detail.seconds_left !== null) {
        reply.header("retry-after", pollAfterS(detail.seconds_left));
      }
      return detail;
    },
  );

  app.delete(
    "/jobs/:job_id",
    {
      config: { access: "any key" },
      onRequest: reads,
      schema: {
        operationId: "cancelJob",
        tags: ["platform"],
        summary: "Cancel a job that is queued or runs",
        description:
          "For everybody who waits for it. Answers with the job: a queued one is canceled, one that runs ends at its next step (`cancel_requested`). One that was completed or failed: 409.",
        params: JobPath,
        response: { 200: JobDetail, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const job = await visibleJob(request, request.params.job_id);
      const scope = scopeOfJobs(job.kind, "write");
      if (scope === undefined || !hasScope(principal(request), scope)) {
        throw new Refusal(403, "forbidden", `The API key lacks the scope ${scope}`);
      }
      const captureId =
        job.kind === CAPTURE_JOB ? readCaptureRequest(job.input).captureId : undefined;
      const capture = captureId && (await records.captures.find(captureId));
      if (capture) await cancelCapture(capture, records, statuses, now());
      else await records.jobs.requestCancel(job.id);
      const after = await visibleJob(request, job.id);
      if (after.state === "completed" || after.state === "failed") {
        throw new DomainError("JOB_FINISHED", `The job is ${after.state} already`);
      }
      return await detailOf(after);
    },
  );
};

/** Where the API has what a job works on, and what it makes. */
function pathsOf({ id, kind, input }: StoredJob): {
  readonly subject: string;
  readonly result: string;
} {
  if (kind === MEASURE_JOB) {
    const subject = `/api/v1/materials/stockpiles/${readMeasureRequest(input).stockpileId}`;
    return { subject, result: `${subject}/measurements/${measurementIdOf(id)}` };
  }
  if (kind === CAPTURE_JOB) {
    const { captureId, purpose } = readCaptureRequest(input);
    const subject = `/api/v1/progress/captures/${captureId}`;
    return { subject, result: purpose === "survey" ? `/api/v1/surveys/${captureId}` : subject };
  }
  if (kind === LABEL_JOB) {
    const zone = `/api/v1/progress/zones/${readLabelRequest(input).zoneId}`;
    return { subject: zone, result: `${zone}/observations` };
  }
  throw new TypeError(`jobs of the kind ${kind} are not shown`);
}

export default jobRoutes;
