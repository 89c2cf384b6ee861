import { randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";

/** What an id may look like, wherever it comes from: a client's body, a path, a topic level. */
const ID_PATTERN = "^[A-Za-z0-9_-]{1,64}$";
const ID = new RegExp(ID_PATTERN);

export type ProjectId = string & { readonly __brand: "ProjectId" };
export const ProjectId = Type.Unsafe<ProjectId>(
  Type.String({ pattern: ID_PATTERN, description: "Project identifier" }),
);

export type AssetId = string & { readonly __brand: "AssetId" };
export const AssetId = Type.Unsafe<AssetId>(
  Type.String({ pattern: ID_PATTERN, description: "Asset identifier; also its MQTT user name" }),
);

export type ApiKeyId = string & { readonly __brand: "ApiKeyId" };
export const ApiKeyId = Type.Unsafe<ApiKeyId>(
  Type.String({ pattern: ID_PATTERN, description: "API key identifier; not the key itself" }),
);

export type GeofenceId = string & { readonly __brand: "GeofenceId" };
export const GeofenceId = Type.Unsafe<GeofenceId>(
  Type.String({ pattern: ID_PATTERN, description: "Geofence identifier" }),
);

/** One stay of one asset in one geofence. */
export type VisitId = string & { readonly __brand: "VisitId" };
export const VisitId = Type.Unsafe<VisitId>(
  Type.String({ pattern: ID_PATTERN, description: "Identifier of one stay in one geofence" }),
);

export type AlertId = string & { readonly __brand: "AlertId" };
export const AlertId = Type.Unsafe<AlertId>(
  Type.String({ pattern: ID_PATTERN, description: "Alert identifier" }),
);

export type WebhookId = string & { readonly __brand: "WebhookId" };
export const WebhookId = Type.Unsafe<WebhookId>(
  Type.String({ pattern: ID_PATTERN, description: "Webhook subscription identifier" }),
);

/** One piece of work in the queue. */
export type JobId = string & { readonly __brand: "JobId" };
export const JobId = Type.Unsafe<JobId>(
  Type.String({ pattern: ID_PATTERN, description: "Job identifier" }),
);

export type StockpileId = string & { readonly __brand: "StockpileId" };
export const StockpileId = Type.Unsafe<StockpileId>(
  Type.String({ pattern: ID_PATTERN, description: "Stockpile identifier" }),
);

/** One measurement of one stockpile. */
export type MeasurementId = string & { readonly __brand: "MeasurementId" };
export const MeasurementId = Type.Unsafe<MeasurementId>(
  Type.String({ pattern: ID_PATTERN, description: "Measurement identifier" }),
);

export const isId = (text: string): boolean => ID.test(text);

export type AnyId =
  | Static<typeof ProjectId>
  | Static<typeof AssetId>
  | Static<typeof ApiKeyId>
  | Static<typeof GeofenceId>
  | Static<typeof VisitId>
  | Static<typeof AlertId>
  | Static<typeof WebhookId>
  | Static<typeof JobId>
  | Static<typeof StockpileId>
  | Static<typeof MeasurementId>;

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
