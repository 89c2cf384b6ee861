import { DomainError } from "../../../domain/errors.ts";
import type { InfluxTarget } from "./target.ts";

/** An answer of InfluxDB other than to a write. */
export interface InfluxAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` for an empty or other body. */
  readonly json: unknown;
  readonly text: string;
}

/** Calls one endpoint. @throws DomainError `STORE_UNAVAILABLE` when no answer comes in time. */
export async function callInflux(
  target: InfluxTarget,
  path: string,
  options: {
    readonly timeoutMs: number;
    readonly method?: "GET" | "POST" | "PATCH";
    readonly body?: unknown;
  },
): Promise<InfluxAnswer> {
  const { method = "GET", body, timeoutMs } = options;
  try {
    const response = await fetch(`${target.url}${path}`, {
      method,
      headers: {
        ...target.headers,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: parse(text), text };
  } catch (cause) {
    throw new DomainError("STORE_UNAVAILABLE", `InfluxDB does not answer: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `fetch` says only "fetch failed"; why is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
