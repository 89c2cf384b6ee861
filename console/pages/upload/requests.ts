import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";

type Job = components["schemas"]["Job"];
type Stockpile = components["schemas"]["Stockpile"];
type Pile = Pick<Stockpile, "id" | "material" | "location">;

/** Stockpiles of a project. */
export const readPiles = (projectId: string): Promise<Outcome<readonly Pile[]>> =>
  outcomeOf<readonly Pile[] | { readonly data: readonly Pile[] }, readonly Pile[]>(
    api.GET("/api/v1/materials/stockpiles", { params: { query: { project_id: projectId } } }),
    (answer) => ("data" in answer ? answer.data : answer),
  );

/** Measures a stockpile from uploads, without waiting; yields the id of the job. */
export const measurePile = (
  pileId: string,
  uploadIds: readonly string[],
  key: string,
): Promise<Outcome<string>> =>
  outcomeOf<unknown, string>(
    api.POST("/api/v1/materials/stockpiles/{stockpile_id}/measure", {
      params: {
        path: { stockpile_id: pileId },
        header: { prefer: "respond-async", "Idempotency-Key": key },
      },
      body: { images: uploadIds.map((upload_id) => ({ upload_id })) },
    }),
    (job) => (job as Job).id,
  );

/** Has a survey made that measures nothing; yields the id of the job. */
export const sendSurvey = (
  projectId: string,
  uploadIds: readonly string[],
  key: string,
): Promise<Outcome<string>> =>
  outcomeOf<{ readonly job_id: string }, string>(
    api.POST("/api/v1/surveys", {
      params: { header: { "Idempotency-Key": key } },
      body: {
        project_id: projectId,
        images: uploadIds.map((upload_id) => ({ upload_id })),
      },
    }),
    ({ job_id }) => job_id,
  );

/** Has a flight of a project analysed; yields the id of the capture. */
export const sendCapture = (
  projectId: string,
  uploadIds: readonly string[],
  key: string,
): Promise<Outcome<string>> =>
  outcomeOf<{ readonly id: string }, string>(
    api.POST("/api/v1/progress/captures", {
      params: { header: { "Idempotency-Key": key } },
      body: {
        project_id: projectId,
        capture_type: "drone",
        images: uploadIds.map((upload_id) => ({ upload_id })),
      },
    }),
    ({ id }) => id,
  );
