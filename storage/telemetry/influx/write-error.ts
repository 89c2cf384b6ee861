import { HttpError } from "@influxdata/influxdb-client";
import { HOUR_MS } from "../../../domain/time.ts";

/**
 * What a failed write asks for.
 * `refused`: the server read the lines and does not take (all of) them: find the bad one.
 * `tooLarge`: send fewer at a time.
 * `hold`: somebody has to change a setting, a token or the server: alarm, and try again slowly.
 * `retry`: it may pass by itself: try again.
 */
export interface WriteFailure {
  readonly kind: "refused" | "tooLarge" | "hold" | "retry";
  readonly reason: string;
  /** What the server asks to wait, ms, at most an hour. */
  readonly retryAfterMs?: number;
}

/**
 * Longest wait that a `Retry-After` is believed, ms. More would let one answer stop the transfer for days;
 * less presses a server that asked for rest.
 */
const LONGEST_WAIT_MS = HOUR_MS;
/** Length of a reason in logs and tables, characters. */
const REASON_CHARS = 500;

/** The policy for errors of the official client's write, by status code. */
export function classifyWriteError(error: unknown): WriteFailure {
  if (!(error instanceof HttpError)) {
    return { kind: "retry", reason: shorten(causeOf(error)) };
  }
  const reason = shorten(`${error.statusCode}: ${error.body ?? error.message}`);
  switch (error.statusCode) {
    // 201 is version 3 saying that it took a part.
    case 201:
    case 400:
    case 422:
      return { kind: isAboutTarget(reason) ? "hold" : "refused", reason };
    case 413:
      return { kind: "tooLarge", reason };
    case 401:
    case 403:
    case 404:
      return { kind: "hold", reason };
    default: {
      const retryAfterMs = retryAfterOf(error);
      return retryAfterMs === undefined
        ? { kind: "retry", reason }
        : { kind: "retry", reason, retryAfterMs };
    }
  }
}

/**
 * What `Retry-After` asks for, ms: seconds or a date (RFC 9110 section 10.2.3). Not the client's
 * `retryAfter()`, which takes seconds for milliseconds (1.35.0).
 */
function retryAfterOf(error: HttpError): number | undefined {
  const header = error.headers?.["retry-after"];
  if (typeof header !== "string" || header === "") return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return ms > 0 ? Math.min(ms, LONGEST_WAIT_MS) : undefined;
}

/**
 * A 400 that is not about the lines: were it taken for one, every line would be put aside. Version 1
 * answers so where the database or retention policy of the request is not there.
 */
function isAboutTarget(reason: string): boolean {
  return (
    !/partial write|unable to parse/i.test(reason) &&
    /(database|retention policy|bucket|organization|org)\b.*(not found|required|invalid)/i.test(
      reason,
    )
  );
}

/**
 * Whether the server stored everything but lines that its retention has no room for any more: version 1 calls them
 * `beyond` its policy, 2.7 `outside` of it.
 */
export function isBeyondRetention(reason: string): boolean {
  return /(beyond|outside) retention policy/i.test(reason) && !/field type conflict/i.test(reason);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  return code === undefined || error.message.includes(code)
    ? error.message
    : `${code} ${error.message}`;
}

const shorten = (text: string): string => text.trim().slice(0, REASON_CHARS);
