import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";

export type Job = components["schemas"]["Job"];
export type JobDetail = components["schemas"]["JobDetail"];
export type Measurement = components["schemas"]["Measurement"];
type Capture = components["schemas"]["Capture"];

const PAGE = 50;

/** What is worked on and was, newest first. */
export const readJobs = (projectId: string | undefined): Promise<Outcome<readonly Job[]>> =>
  outcomeOf<{ readonly data: readonly Job[] }, readonly Job[]>(
    api.GET("/api/v1/jobs", {
      params: {
        query: { limit: PAGE, ...(projectId === undefined ? {} : { project_id: projectId }) },
      },
    }),
    ({ data }) => data,
  );

export const readJob = (id: string): Promise<Outcome<JobDetail>> =>
  outcomeOf<JobDetail>(api.GET("/api/v1/jobs/{job_id}", { params: { path: { job_id: id } } }));

export const cancelJob = (id: string): Promise<Outcome<JobDetail>> =>
  outcomeOf<JobDetail>(api.DELETE("/api/v1/jobs/{job_id}", { params: { path: { job_id: id } } }));

/** What a job of measuring made; `path` as the job has it. */
export const readMeasurement = (pileId: string, id: string): Promise<Outcome<Measurement>> =>
  outcomeOf<unknown, Measurement>(
    api.GET("/api/v1/materials/stockpiles/{stockpile_id}/measurements/{measurement_id}", {
      params: { path: { stockpile_id: pileId, measurement_id: id } },
    }),
    // The generated types of the answer and of its schema differ in the form of an outline.
    (data) => data as Measurement,
  );

export const readCapture = (id: string): Promise<Outcome<Capture>> =>
  outcomeOf<Capture>(
    api.GET("/api/v1/progress/captures/{capture_id}", { params: { path: { capture_id: id } } }),
  );
