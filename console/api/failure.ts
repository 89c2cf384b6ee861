import type { components } from "../../client/index.ts";

type FailureDetail = Pick<
  components["schemas"]["ErrorDetail"],
  "parameter" | "message" | "bytes_needed" | "bytes_left" | "bytes_used" | "bytes_limit"
>;

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
  /** What is wrong, by query parameter or path inside the body; of what had no room also how much it lacked. */
  readonly details?: readonly FailureDetail[];
}

/** Neither the service nor anything between answered. */
export const NO_ANSWER: Failure = { status: 0, message: "" };

/** What a failure needs of an answer beside its body. */
interface AnswerHead {
  readonly status: number;
  readonly headers: { readonly get: (name: string) => string | null };
}

type ErrorBody = components["schemas"]["Error"];

/** What an answer that is not 2xx says; a proxy between may have answered without our body. */
export function failureOf(error: unknown, response: AnswerHead): Failure {
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
