import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";

type Schemas = components["schemas"];
export type Measurement = Schemas["Measurement"];
export type ListedMeasurement = Schemas["ListedMeasurement"];
export type Survey = Schemas["Survey"];
export type Reconciliation = Schemas["Reconciliation"];

/** Measurements of a history: more marks than pixels between them say nothing. */
const NEWEST = 200;

/** The newest measurements of a stockpile, newest first, and how many there are. */
export interface History {
  readonly measurements: readonly ListedMeasurement[];
  readonly total: number;
}

export const readHistory = (id: string): Promise<Outcome<History>> =>
  outcomeOf<Schemas["MeasurementList"], History>(
    api.GET("/api/v1/materials/stockpiles/{stockpile_id}/measurements", {
      params: { path: { stockpile_id: id }, query: { limit: NEWEST } },
    }) as never,
    ({ data, pagination }) => ({ measurements: data, total: pagination.total }),
  );

export const readMeasurement = (id: string, measurementId: string): Promise<Outcome<Measurement>> =>
  outcomeOf<Measurement>(
    api.GET("/api/v1/materials/stockpiles/{stockpile_id}/measurements/{measurement_id}", {
      params: { path: { stockpile_id: id, measurement_id: measurementId } },
    }) as never,
  );

/** A survey has the id of its measurement. */
export const readSurvey = (measurementId: string): Promise<Outcome<Survey>> =>
  outcomeOf<Survey>(
    api.GET("/api/v1/surveys/{survey_id}", { params: { path: { survey_id: measurementId } } }),
  );

/** The last change beside the loads; the list of loads itself is not read. */
export const readReconciliation = (id: string): Promise<Outcome<Reconciliation>> =>
  outcomeOf<Reconciliation>(
    api.GET("/api/v1/materials/stockpiles/{stockpile_id}/reconciliation", {
      params: { path: { stockpile_id: id }, query: { limit: 1 } },
    }) as never,
  );
