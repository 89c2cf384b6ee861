import { type Static, Type } from "typebox";
import { JobId, ProjectId } from "../../domain/ids.ts";
import { isoTime } from "../../domain/iso-time.ts";
import type { Scope } from "../../domain/platform/api-key.ts";
import { MEASURE_JOB } from "../../processing/measurement/measure-request.ts";
import { LABEL_JOB } from "../../processing/progress/camera/label-request.ts";
import { CAPTURE_JOB } from "../../processing/progress/capture/capture-request.ts";
import type { JobOutline } from "../../storage/ports/platform/jobs.ts";
import { hasScope, type Principal } from "../auth/principal.ts";
import { ErrorDetail } from "../errors/error.ts";
import { Timestamp } from "../schemas/timestamp.ts";
import { gateDetailOf } from "../surveys/gate-detail.ts";

/** Kinds of jobs that clients see. */
export const JOB_KINDS = [MEASURE_JOB, CAPTURE_JOB, LABEL_JOB] as const;
export const JOB_STATES = ["queued", "running", "completed", "failed", "canceled"] as const;

type Area = "materials" | "progress";
const AREA_OF_KIND: Readonly<Record<string, Area>> = {
  [MEASURE_JOB]: "materials",
  [CAPTURE_JOB]: "progress",
  [LABEL_JOB]: "progress",
};

/** The scope for jobs of a kind; `undefined`: nobody is shown them. */
export function scopeOfJobs(kind: string, access: "read" | "write"): Scope | undefined {
  const area = AREA_OF_KIND[kind];
  return area && `${area}:${access}`;
}

/** Whether the key may see jobs of that kind. */
export function seesJobs(key: Principal, kind: string): boolean {
  const scope = scopeOfJobs(kind, "read");
  return scope !== undefined && hasScope(key, scope);
}

/** A job without what it is asked and what it made. */
export const Job = Type.Object(
  {
    id: JobId,
    kind: Type.Enum([...JOB_KINDS], {
      description: "measure: a stockpile; capture: images of a project; label: one picture",
    }),
    project_id: Type.Optional(ProjectId),
    status: Type.Enum([...JOB_STATES], {
      description: "canceled, completed and failed are final",
    }),
    stage: Type.String({ description: "What is worked on; empty before the first stage" }),
    progress_percent: Type.Number({
      minimum: 0,
      maximum: 100,
      description: "Of this attempt and those before; it never falls",
    }),
    attempts: Type.Integer({ minimum: 0, description: "Begun so far; the first is 1" }),
    cancel_requested: Type.Boolean({ description: "It ends at its next step" }),
    created_at: Timestamp,
    started_at: Type.Optional(Timestamp),
    finished_at: Type.Optional(Timestamp),
    error: Type.Optional(
      Type.Object(
        {
          code: Type.String({ description: "In capitals, such as IMAGES_UNUSABLE" }),
          message: Type.String(),
          details: Type.Optional(Type.Array(ErrorDetail)),
        },
        { description: "Why the last attempt failed" },
      ),
    ),
  },
  { title: "Job" },
);
type Job = Static<typeof Job>;

/** A job as lists and the live stream show it. Its kind is one of {@link JOB_KINDS}. */
export function jobView(job: JobOutline): Job {
  const { id, kind, projectId, state, stage, progress, attempts, error } = job;
  const gate = gateDetailOf(error?.details);
  return {
    id,
    kind: kind as Job["kind"],
    ...(projectId === undefined ? {} : { project_id: projectId }),
    status: state,
    stage,
    progress_percent: progress,
    attempts,
    cancel_requested: job.cancelRequested,
    created_at: isoTime(job.createdAtMs),
    ...(job.startedAtMs === undefined ? {} : { started_at: isoTime(job.startedAtMs) }),
    ...(job.finishedAtMs === undefined ? {} : { finished_at: isoTime(job.finishedAtMs) }),
    ...(error === undefined
      ? {}
      : {
          error: {
            code: error.code,
            message: error.message,
            ...(gate === undefined ? {} : { details: [gate] }),
          },
        }),
  };
}
