import { randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";

/** What an id may look like, wherever it comes from: a client's body, a path, a topic level. */
const ID_PATTERN = "^[A-Za-z0-9_-]{1,64}$";
const ID = new RegExp(ID_PATTERN);

export type ProjectId = string & { readonly __brand: "ProjectId" };
export const ProjectId = Type.Unsafe<ProjectId>(
  Type.String({ pattern: ID_PATTERN, title: "ProjectId", description: "Project identifier" }),
);

export type AssetId = string & { readonly __brand: "AssetId" };
export const AssetId = Type.Unsafe<AssetId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "AssetId",
    description: "Asset identifier; also its MQTT user name",
  }),
);

export type ApiKeyId = string & { readonly __brand: "ApiKeyId" };
export const ApiKeyId = Type.Unsafe<ApiKeyId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "ApiKeyId",
    description: "API key identifier; not the key itself",
  }),
);

export type GeofenceId = string & { readonly __brand: "GeofenceId" };
export const GeofenceId = Type.Unsafe<GeofenceId>(
  Type.String({ pattern: ID_PATTERN, title: "GeofenceId", description: "Geofence identifier" }),
);

/** One stay of one asset in one geofence. */
export type VisitId = string & { readonly __brand: "VisitId" };
export const VisitId = Type.Unsafe<VisitId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "VisitId",
    description: "Identifier of one stay in one geofence",
  }),
);

export type AlertId = string & { readonly __brand: "AlertId" };
export const AlertId = Type.Unsafe<AlertId>(
  Type.String({ pattern: ID_PATTERN, title: "AlertId", description: "Alert identifier" }),
);

/** One rule whose alerts of one asset open as acknowledged for a time. */
export type AlertMuteId = string & { readonly __brand: "AlertMuteId" };
export const AlertMuteId = Type.Unsafe<AlertMuteId>(
  Type.String({ pattern: ID_PATTERN, title: "AlertMuteId", description: "Mute identifier" }),
);

export type WebhookId = string & { readonly __brand: "WebhookId" };
export const WebhookId = Type.Unsafe<WebhookId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "WebhookId",
    description: "Webhook subscription identifier",
  }),
);

/** One piece of work in the queue. */
export type JobId = string & { readonly __brand: "JobId" };
export const JobId = Type.Unsafe<JobId>(
  Type.String({ pattern: ID_PATTERN, title: "JobId", description: "Job identifier" }),
);

export type StockpileId = string & { readonly __brand: "StockpileId" };
export const StockpileId = Type.Unsafe<StockpileId>(
  Type.String({ pattern: ID_PATTERN, title: "StockpileId", description: "Stockpile identifier" }),
);

/** One measurement of one stockpile. */
export type MeasurementId = string & { readonly __brand: "MeasurementId" };
export const MeasurementId = Type.Unsafe<MeasurementId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "MeasurementId",
    description: "Measurement identifier",
  }),
);

/** A part of a project whose progress is reported separately. */
export type WorkZoneId = string & { readonly __brand: "WorkZoneId" };
export const WorkZoneId = Type.Unsafe<WorkZoneId>(
  Type.String({ pattern: ID_PATTERN, title: "WorkZoneId", description: "Work zone identifier" }),
);

/** Imagery that was sent at once. */
export type CaptureId = string & { readonly __brand: "CaptureId" };
export const CaptureId = Type.Unsafe<CaptureId>(
  Type.String({ pattern: ID_PATTERN, title: "CaptureId", description: "Capture identifier" }),
);

export type ReportId = string & { readonly __brand: "ReportId" };
export const ReportId = Type.Unsafe<ReportId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "ReportId",
    description: "Progress report identifier",
  }),
);

/** One import of a project's schedule. */
export type ScheduleId = string & { readonly __brand: "ScheduleId" };
export const ScheduleId = Type.Unsafe<ScheduleId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "ScheduleId",
    description: "Schedule revision identifier",
  }),
);

/** A camera that views a site from one place. */
export type CameraId = string & { readonly __brand: "CameraId" };
export const CameraId = Type.Unsafe<CameraId>(
  Type.String({ pattern: ID_PATTERN, title: "CameraId", description: "Camera identifier" }),
);

/** A person's statement about a zone: an observation, or a label of an image. */
export type ObservationId = string & { readonly __brand: "ObservationId" };
export const ObservationId = Type.Unsafe<ObservationId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "ObservationId",
    description: "Observation identifier",
  }),
);

/** Another maker's ISO 15143-3 server that is polled. */
export type FleetSourceId = string & { readonly __brand: "FleetSourceId" };
export const FleetSourceId = Type.Unsafe<FleetSourceId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "FleetSourceId",
    description: "Fleet source identifier",
  }),
);

/** Another system that readings are passed on to. */
export type ForwarderId = string & { readonly __brand: "ForwarderId" };
export const ForwarderId = Type.Unsafe<ForwarderId>(
  Type.String({ pattern: ID_PATTERN, title: "ForwarderId", description: "Forwarder identifier" }),
);

/** One command to an asset's device. */
export type CommandId = string & { readonly __brand: "CommandId" };
export const CommandId = Type.Unsafe<CommandId>(
  Type.String({ pattern: ID_PATTERN, title: "CommandId", description: "Command identifier" }),
);

/** One log-in of a browser. */
export type SessionId = string & { readonly __brand: "SessionId" };
export const SessionId = Type.Unsafe<SessionId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "SessionId",
    description: "Session identifier; not the cookie",
  }),
);

/** The measurement or capture that a survey was made for: it has the id of that. */
export type SurveyId = string & { readonly __brand: "SurveyId" };
export const SurveyId = Type.Unsafe<SurveyId>(
  Type.String({
    pattern: ID_PATTERN,
    title: "SurveyId",
    description: "Survey identifier: that of the measurement or capture it was made for",
  }),
);

export const isId = (text: string): boolean => ID.test(text);

export type AnyId =
  | Static<typeof ProjectId>
  | Static<typeof AssetId>
  | Static<typeof ApiKeyId>
  | Static<typeof GeofenceId>
  | Static<typeof VisitId>
  | Static<typeof AlertId>
  | Static<typeof AlertMuteId>
  | Static<typeof WebhookId>
  | Static<typeof JobId>
  | Static<typeof StockpileId>
  | Static<typeof MeasurementId>
  | Static<typeof WorkZoneId>
  | Static<typeof CaptureId>
  | Static<typeof ReportId>
  | Static<typeof ScheduleId>
  | Static<typeof CameraId>
  | Static<typeof ObservationId>
  | Static<typeof FleetSourceId>
  | Static<typeof ForwarderId>
  | Static<typeof CommandId>
  | Static<typeof SessionId>;

/** Alphabet of generated ids and secrets: base62 keeps them free of quoting in URLs and topics. */
export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Uniformly random base62 text of `length` characters (5.95 bits each). */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 x 62: the remainder of larger bytes would favour the first eight characters.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A new id such as `ast_4fJk20PqLmZa1x8R`; 16 base62 characters are 95 random bits. */
export function newId<T extends AnyId>(prefix: string): T {
  return `${prefix}_${randomBase62(16)}` as T;
}
