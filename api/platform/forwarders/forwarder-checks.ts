import type { ForwarderCredentials } from "../../../ingest/forwarding/credentials.ts";
import { topicProblem } from "../../../ingest/forwarding/topic-template.ts";
import type { Forwarder } from "../../../storage/ports/events/forwarders.ts";
import type { ForwarderDependencies } from "../../dependencies/dependencies.ts";
import { requireSendable } from "../../validation/sendable-text.ts";
import { invalidParameter } from "../../validation/validation.ts";
import type { Credentials } from "./forwarder-schemas.ts";

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII and blanks between (RFC 9110 section 5.5); anything else could begin another header. */
const FIELD_VALUE = /^[!-~](?:[ -~]*[!-~])?$/;
/** What the request itself is made of. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);

/** @throws ParameterError for a URL that does not fit the kind, or that must not be reached. */
export async function requireUrl(
  { outbound, sockets }: Pick<ForwarderDependencies, "outbound" | "sockets">,
  kind: Forwarder["kind"],
  url: string,
): Promise<void> {
  const problem = await (kind === "mqtt" ? sockets : outbound).check(url);
  if (problem !== undefined) throw invalidParameter("url", problem);
}

/** @throws ParameterError where topic or format do not go with the kind. */
export function requireShape({
  kind,
  topic,
  format,
}: Pick<Forwarder, "kind" | "topic" | "format">) {
  if (kind === "traccar_http") {
    if (topic !== undefined) throw invalidParameter("topic", "is for kind mqtt only");
    if (format !== "traccar") throw invalidParameter("format", "is traccar for kind traccar_http");
    return;
  }
  if (topic === undefined) throw invalidParameter("topic", "is needed for kind mqtt");
  const problem = topicProblem(topic);
  if (problem !== undefined) throw invalidParameter("topic", problem);
}

/**
 * Credentials as they are sealed.
 * @throws ParameterError for half of them, both kinds, or what no header can hold.
 */
export function readCredentials(kind: Forwarder["kind"], given: Credentials): ForwarderCredentials {
  const { username, password, header, value } = given;
  if (username !== undefined && header === undefined && value === undefined) {
    requireSendable("credentials.username", username);
    requireSendable("credentials.password", password);
    // RFC 7617: the first colon ends the user name.
    if (kind === "traccar_http" && username.includes(":")) {
      throw invalidParameter("credentials.username", "must have no colon");
    }
    return { username, ...(password === undefined ? {} : { password }) };
  }
  if (header === undefined || value === undefined || (username ?? password) !== undefined) {
    throw invalidParameter("credentials", "must be username and password, or header and value");
  }
  if (kind === "mqtt") throw invalidParameter("credentials.header", "is for HTTP only");
  if (!TOKEN.test(header) || RESERVED_HEADERS.has(header.toLowerCase())) {
    throw invalidParameter("credentials.header", "is not a header that may be set");
  }
  if (!FIELD_VALUE.test(value)) {
    throw invalidParameter("credentials.value", "must be visible ASCII");
  }
  return { header, value };
}
