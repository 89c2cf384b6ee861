import { isoTime } from "../../domain/iso-time.ts";
import type { Scope } from "../../domain/platform/api-key.ts";
import { MEASURE_JOB } from "../../processing/measurement/measure-request.ts";
import { LABEL_JOB } from "../../processing/progress/camera/label-request.ts";
import { CAPTURE_JOB } from "../../processing/progress/capture/capture-request.ts";
import type { JobOutline } from "../../storage/ports/platform/jobs.ts";
import { hasScope, type Principal } from "../auth/principal.ts";

/** The scope that shows jobs of a kind; of others nothing is shown. */
const SCOPE_OF_KIND: Readonly<Record<string, Scope>> = {
  [MEASURE_JOB]: "materials:read",
  [CAPTURE_JOB]: "progress:read",
  [LABEL_JOB]: "progress:read",
};

/** Whether the key may see jobs of that kind. */
export function seesJobs(key: Principal, kind: string): boolean {
  const scope = SCOPE_OF_KIND[kind];
  return scope !== undefined && hasScope(key, scope);
}

/** A job as the live stream shows it. */
export function jobView(job: JobOutline): object {
  const { id, kind, projectId, state, stage, progress, attempts, error } = job;
  return {
    id,
    kind,
    ...(projectId === undefined ? {} : { project_id: projectId }),
    state,
    stage,
    progress,
    attempts,
    created_at: isoTime(job.createdAtMs),
    ...(job.startedAtMs === undefined ? {} : { started_at: isoTime(job.startedAtMs) }),
    ...(job.finishedAtMs === undefined ? {} : { finished_at: isoTime(job.finishedAtMs) }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}
