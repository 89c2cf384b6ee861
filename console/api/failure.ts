import type { components } from "../../client/index.ts";

/** Why a request did not do what it was for. */
export interface Failure {
  /** HTTP status; 0: no answer came. */
  readonly status: number;
  /** As the service says it; empty without an answer. */
  readonly message: string;
  /** To look the request up in the log of the service. */
  readonly requestId?: string;
  /** Seconds to wait, as the service asked. */
  readonly retryAfterS?: number;
  /** What is wrong with single fields of the request, by their names. */
  readonly details?: readonly { readonly parameter: string; readonly message: string }[];
}

/** Neither the service nor anything between answered. */
export const NO_ANSWER: Failure = { status: 0, message: "" };

type ErrorBody = components["schemas"]["Error"];

/** What an answer that is not 2xx says; a proxy between may have answered without our body. */
export function failureOf(error: unknown, response: Response): Failure {
  const said = (error as Partial<ErrorBody> | undefined)?.error;
  const requestId = said?.request_id ?? response.headers.get("x-request-id");
  const retryAfterS = Number(response.headers.get("retry-after") ?? Number.NaN);
  return {
    status: response.status,
    message: said?.message ?? "",
    ...(requestId === null || requestId === undefined ? {} : { requestId }),
    ...(Number.isFinite(retryAfterS) ? { retryAfterS } : {}),
    ...(said?.details === undefined ? {} : { details: said.details }),
  };
}
