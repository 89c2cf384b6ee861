import type { FastifyContextConfig } from "fastify";
import type { DescribedOperation, JsonObject } from "./document.ts";

/** Headers of a success answer that a route sends by itself. */
type OwnHeader = "Location" | "Preference-Applied" | "Retry-After";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a success answer has beyond the headers of every answer; for the description alone. */
    sends?: readonly OwnHeader[];
    /** As `sends`, of the answer 202 alone. */
    sendsIfAsync?: readonly OwnHeader[];
  }
}

const header = (description: string, schema: JsonObject) => ({ description, schema });
const WHOLE = { type: "integer" };
const TEXT = { type: "string" };

/** Every header that answers are described with. */
const HEADERS = {
  "X-Request-Id": header("Names the request in our log; in errors it is `request_id`", TEXT),
  "X-RateLimit-Limit": header("Requests a minute that the key may send", WHOLE),
  "X-RateLimit-Remaining": header("Requests that are left in this minute", WHOLE),
  "X-RateLimit-Reset": header("Unix time at which the minute ends, s", WHOLE),
  "Preference-Applied": header("Which preference of the request was followed", TEXT),
  "Retry-After": header("When to ask again, s from now", WHOLE),
  "WWW-Authenticate": header("How to send the key", TEXT),
  Location: header("Path of what was made", { type: "string", format: "uri-reference" }),
  ETag: header("Entity tag of what is answered, for If-None-Match and If-Match", TEXT),
} as const;
type HeaderName = keyof typeof HEADERS;

/** The name of a header below `components.headers`: `RateLimitReset` for `X-RateLimit-Reset`. */
const componentOf = (name: string) => name.replace(/^X-/, "").replaceAll("-", "");

/** `components.headers`. */
export const HEADER_COMPONENTS = Object.fromEntries(
  Object.entries(HEADERS).map(([name, described]) => [componentOf(name), described]),
);

/** `components.parameters` of request headers. */
export const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true`",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "Entity tag of an earlier answer: 304 when it still holds",
    schema: { type: "string" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done",
    schema: { type: "string" },
  },
} as const;

const RATE: readonly HeaderName[] = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];
const OF_STATUS: Readonly<Record<string, readonly HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  500: ["Retry-After"],
  503: ["Retry-After"],
  507: ["Retry-After"],
  default: ["Retry-After", "WWW-Authenticate"],
};

/**
 * Adds the headers that the operation's requests may have, and that its answers do have. Every answer has the rate
 * and an id; they are written at all failures and at all answers of the contract: at each success of each operation
 * they would be 25 KB.
 */
export function describeHeaders(
  operation: DescribedOperation,
  { contract, once, longBody, tagged, sends = [], sendsIfAsync = [] }: FastifyContextConfig,
): void {
  const isTagged = tagged === true || "304" in operation.responses;
  const taken: (keyof typeof HEADER_PARAMETERS)[] = [];
  if (once !== undefined && longBody !== true) taken.push("IdempotencyKey");
  if ("304" in operation.responses) taken.push("IfNoneMatch");
  if ("412" in operation.responses) taken.push("IfMatch");
  if (taken.length > 0) {
    operation.parameters = [
      ...(operation.parameters ?? []),
      ...taken.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ];
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (isFailure(status)) response.headers = failureHeaders(status);
    else {
      const names: HeaderName[] = contract === true ? [...RATE] : [];
      if (status.startsWith("2")) names.push(...sends);
      if (status === "202") names.push(...sendsIfAsync);
      if (isTagged && status !== "204") names.push("ETag");
      if (names.length > 0) response.headers = references(names);
    }
  }
}

const isFailure = (status: string) => status >= "4";

/** What a failure of this status, or of any (`default`), has. */
export const failureHeaders = (status: string): JsonObject =>
  references([...RATE, "X-Request-Id", ...(OF_STATUS[status] ?? [])]);

const references = (names: readonly HeaderName[]): JsonObject =>
  Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${componentOf(name)}` }]),
  );
