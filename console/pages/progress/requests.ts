import type { components, operations } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";

type Schemas = components["schemas"];
export type Curve = Schemas["ProgressCurve"];
export type CurvePoint = Curve["actual"][number];
export type Report = Schemas["ProgressReport"];
export type ReportZone = Report["zones"][number];
export type Changes = Schemas["ReportChanges"];
export type ZoneChange = Changes["zones"][number];
export type LabelRequest = Schemas["LabelRequest"];
export type Overview = Schemas["Overview"];
export type Observation = Schemas["Observation"];
export type NewObservation = Schemas["NewObservation"];
export type NewLabel =
  operations["createCalibration"]["requestBody"]["content"]["application/json"];
export type NewCorrection =
  operations["correctReport"]["requestBody"]["content"]["application/json"];

/** Observations of a zone that are shown: the last weeks of a site that is walked every day. */
const OBSERVATIONS = 20;

export const readOverview = (): Promise<Outcome<Overview>> =>
  outcomeOf(api.GET("/api/v1/overview", { params: { query: {} } }));

export const readCurve = (projectId: string): Promise<Outcome<Curve>> =>
  outcomeOf(
    api.GET("/api/v1/progress/projects/{project_id}/curve", {
      params: { path: { project_id: projectId } },
    }),
  );

export const readReport = (id: string): Promise<Outcome<Report>> =>
  outcomeOf(
    api.GET("/api/v1/progress/reports/{report_id}", { params: { path: { report_id: id } } }),
  );

export const readChanges = (id: string): Promise<Outcome<Changes>> =>
  outcomeOf(
    api.GET("/api/v1/progress/reports/{report_id}/changes", {
      params: { path: { report_id: id } },
    }),
  );

export const readLabelRequests = (
  projectId: string,
): Promise<Outcome<Schemas["LabelRequestList"]>> =>
  outcomeOf(
    api.GET("/api/v1/progress/label-requests", {
      params: { query: { project_id: projectId } },
    }),
  );

/** What people said of a zone, newest first. */
export const readObservations = (zoneId: string): Promise<Outcome<Schemas["ObservationList"]>> =>
  outcomeOf(
    api.GET("/api/v1/progress/zones/{zone_id}/observations", {
      params: { path: { zone_id: zoneId }, query: { limit: OBSERVATIONS } },
    }),
  );

export const sendObservation = (
  zoneId: string,
  body: NewObservation,
  key: string,
): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.POST("/api/v1/progress/zones/{zone_id}/observations", {
      params: { path: { zone_id: zoneId }, header: { "Idempotency-Key": key } },
      body,
    }),
  );

/** Ids of the labels that it made: one for each camera whose view was labelled. */
export const sendLabel = (
  zoneId: string,
  body: NewLabel,
  key: string,
): Promise<Outcome<readonly string[]>> =>
  outcomeOf(
    api.POST("/api/v1/progress/zones/{zone_id}/calibrations", {
      params: { path: { zone_id: zoneId }, header: { "Idempotency-Key": key } },
      body,
    }),
    ({ data }) => data.map(({ id }) => id),
  );

/** Withdraws labels of a zone; reports keep their figures. */
export async function withdrawLabels(
  zoneId: string,
  ids: readonly string[],
): Promise<Outcome<unknown>> {
  for (const id of ids) {
    const outcome = await outcomeOf<unknown>(
      api.DELETE("/api/v1/progress/zones/{zone_id}/calibrations/{label_id}", {
        params: { path: { zone_id: zoneId, label_id: id } },
      }),
    );
    // One that is gone is what was asked for.
    if ("failure" in outcome && outcome.failure.status !== 404) return outcome;
  }
  return { value: undefined };
}

export const sendCorrection = (
  reportId: string,
  body: NewCorrection,
  key: string,
): Promise<Outcome<Report>> =>
  outcomeOf(
    api.POST("/api/v1/progress/reports/{report_id}/corrections", {
      params: { path: { report_id: reportId }, header: { "Idempotency-Key": key } },
      body,
    }),
  );

/** Address of a report as a page to read and to print, for the session of this browser. */
export const printableReport = (id: string): string =>
  `/api/v1/progress/reports/${encodeURIComponent(id)}/report?format=html`;
