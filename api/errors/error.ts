import { type Static, Type } from "typebox";
import { ImageUses } from "./image-uses.ts";

/** The codes a client may see (docs/http.md). */
export const WIRE_CODES = [
  "unauthorized",
  "forbidden",
  "invalid_request",
  "invalid_parameter",
  "payload_too_large",
  "unusable_images",
  "not_found",
  "conflict",
  "id_taken",
  "precondition_failed",
  "rate_limit_exceeded",
  "insufficient_storage",
  "quota_exceeded",
  "unavailable",
  "internal_error",
] as const;
export type WireCode = (typeof WIRE_CODES)[number];

/** One part of what is wrong. */
export const ErrorDetail = Type.Object(
  {
    parameter: Type.String({ description: "Query parameter, or path inside the body" }),
    message: Type.String(),
    gate: Type.Optional(
      Type.String({
        description: "Name of the gate that refused the images, with what it measured",
      }),
    ),
    value: Type.Optional(Type.Number({ description: "What was measured, in `unit`" })),
    threshold: Type.Optional(Type.Number()),
    unit: Type.Optional(Type.String()),
    advice: Type.Optional(Type.String({ description: "What to do about it" })),
    images: Type.Optional(
      Type.Array(Type.String(), { description: "Names of the images concerned" }),
    ),
    image_uses: Type.Optional(ImageUses),
    bytes_needed: Type.Optional(
      Type.Integer({ description: "Where there is no room: the bytes requested" }),
    ),
    bytes_left: Type.Optional(Type.Integer({ description: "What could still be stored" })),
    bytes_used: Type.Optional(Type.Integer({ description: "What the project has stored" })),
    bytes_limit: Type.Optional(Type.Integer({ description: "Quota of the project" })),
  },
  { title: "ErrorDetail" },
);
export type ErrorDetail = Readonly<Static<typeof ErrorDetail>>;

/** The body of every answer that is not 2xx. Referred to by its `$id` in all routes. */
export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Enum([...WIRE_CODES]),
      message: Type.String(),
      details: Type.Optional(Type.Array(ErrorDetail)),
      request_id: Type.String({ description: "Also in the X-Request-Id header" }),
    }),
  },
  { $id: "Error", title: "Error" },
);
export type ErrorBody = Static<typeof ErrorBody>;

const DESCRIPTIONS = {
  400: "The request or one of its parameters is invalid",
  401: "The API key is missing or invalid",
  403: "The API key lacks the scope",
  404: "There is no such resource, or the API key may not see it",
  409: "The request conflicts with the current state, or the id is taken (`id_taken`)",
  412: "The entity tag in If-Match or If-None-Match does not allow it; see `ETag`",
  413: "The upload is larger than allowed",
  429: "The rate limit is exceeded; see Retry-After",
  500: "Internal server error",
  503: "Nothing, or not all of it, can be stored now; see Retry-After",
  507: "The disk, or the quota of the project, has no room for it; see `bytes_left` and Retry-After",
} as const;

function failure(status: keyof typeof DESCRIPTIONS) {
  return {
    description: DESCRIPTIONS[status],
    content: { "application/json": { schema: Type.Ref("Error") } },
  };
}

/** The failures of every endpoint that takes a key: the contract's eight statuses less 200 and 201. */
export const FAILURES = {
  400: failure(400),
  401: failure(401),
  403: failure(403),
  404: failure(404),
  429: failure(429),
  500: failure(500),
};

/** The answer to `If-None-Match` with the present entity tag, for routes that have one. */
export const NOT_MODIFIED = {
  304: Type.Null({ description: "Unchanged since the entity tag in If-None-Match; no body" }),
};

/** The answer to a change whose `If-Match` does not hold, for routes that compare it. */
export const CHANGED = { 412: failure(412) };

/** Where a body comes in parts, as tus 1.0.0 has it. */
export const TOO_LARGE = { 413: failure(413) };

/** As `FAILURES`, for a POST that stores nothing: its `Idempotency-Key` may be in use. */
export const REPEATABLE_FAILURES = { ...FAILURES, 409: failure(409) };

/** As `FAILURES`, for endpoints beyond the contract that create or change something. */
export const WRITE_FAILURES = { ...FAILURES, 409: failure(409), 507: failure(507) };

/** As `FAILURES`, for routes that devices send readings to. */
export const INGEST_FAILURES = {
  ...FAILURES,
  401: { ...failure(401), description: "The asset's id or secret is missing or wrong" },
  403: { ...failure(403), description: "The asset may not send for the one that is named" },
  404: { ...failure(404), description: "There is no such decoder" },
  503: failure(503),
};
