import { type Static, Type } from "typebox";
import { ApiKeyId, ProjectId } from "../ids.ts";

const Timestamp = Type.String({
  title: "Timestamp",
  format: "date-time",
  description: "ISO 8601, UTC",
});

/**
 * What a key may do. `equipment:command` sends commands to devices. `admin` is every scope, and the only one that manages projects and keys;
 * `mqtt:auth` is for an MQTT broker that asks who its clients are.
 */
export const SCOPES = [
  "progress:read",
  "progress:write",
  "equipment:read",
  "equipment:write",
  "equipment:command",
  "materials:read",
  "materials:write",
  "events:read",
  "mqtt:auth",
  "admin",
] as const;
export type Scope = (typeof SCOPES)[number];

/** Requests per minute over all areas, by plan (the contract, Limits). */
export const REQUESTS_PER_MINUTE = { standard: 1_000, enterprise: 10_000 } as const;
export type Plan = keyof typeof REQUESTS_PER_MINUTE;

/** An API key without its secret, which is shown once and never stored. */
export const ApiKey = Type.Object(
  {
    id: ApiKeyId,
    name: Type.String({ minLength: 1, maxLength: 200 }),
    prefix: Type.String({ description: "First characters of the key, to recognise it by" }),
    scopes: Type.Array(Type.Enum([...SCOPES], { title: "Scope" }), {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
    }),
    plan: Type.Enum(["standard", "enterprise"]),
    project_ids: Type.Optional(
      Type.Array(ProjectId, { description: "Projects the key may see; absent: all" }),
    ),
    expires_at: Type.Optional(Timestamp),
    revoked_at: Type.Optional(Timestamp),
    last_used_at: Type.Optional(Timestamp),
    created_at: Timestamp,
  },
  { title: "ApiKey" },
);
export type ApiKey = Static<typeof ApiKey>;
