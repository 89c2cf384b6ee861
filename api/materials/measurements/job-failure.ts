import type { ErrorCode } from "../../../domain/errors.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";
import { DetailedError } from "../../errors/detailed-error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { gateDetailOf } from "../../surveys/gate-detail.ts";

/** Failures that lie in what the client sent, or in what is not there any more. */
const ITS_OWN: readonly ErrorCode[] = [
  "FILE_TOO_LARGE",
  "IMAGES_UNUSABLE",
  "IMAGE_REFUSED",
  "PARAMETER_INVALID",
  "STOCKPILE_NOT_FOUND",
];

/** The answer to a request that waited for a job which failed. */
export function jobFailure({ state, error }: Pick<Job, "state" | "error">): Error {
  if (state === "canceled" || error === undefined) {
    return new Refusal(500, "internal_error", "The measurement was canceled");
  }
  const { message, details } = error;
  // A limit of the caller, as before the job (see `api/errors/error-handler.ts`).
  if (error.code === "QUOTA_EXCEEDED") return new Refusal(429, "rate_limit_exceeded", message);
  const code = ITS_OWN.find((own) => own === error.code);
  if (code === undefined) {
    return new Refusal(500, "internal_error", `The measurement failed: ${message}`);
  }
  const gate = gateDetailOf(details);
  return gate === undefined
    ? new DomainError(code, message)
    : new DetailedError(code, message, [gate]);
}
