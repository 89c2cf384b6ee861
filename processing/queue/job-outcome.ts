import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import { diskError } from "../../storage/disk/disk-error.ts";
import type { Job, JobError } from "../../storage/ports/platform/jobs.ts";
import { failureOf } from "../pool/task-result.ts";

/** Failures that another attempt may not meet. All others lie in the input, or in the program. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  "DISK_FULL",
  "ENGINE_FAILED",
  "STORE_UNAVAILABLE",
  "TASK_FAILED",
]);

/** What systems say when memory or open files run out, and when a disk fails. */
const SHORTAGES = new Set(["EIO", "EMFILE", "ENFILE", "ENOMEM"]);
const SHORTAGE = new DomainError(
  "TASK_FAILED",
  "the machine that ran the job is out of memory or files, or its disk fails",
);

/**
 * Pause before the second attempt, ms, and how much longer each further one is. Shorter meets the same outage
 * again, longer delays what would work by now.
 */
const FIRST_RETRY_MS = 10_000;
const RETRY_GROWTH = 4;

export interface FailedAttempt {
  readonly error: JobError;
  /** `undefined`: there is no other attempt. */
  readonly retryInMs: number | undefined;
}

/** What becomes of an attempt that ended with this error. */
export function failedAttempt(
  { attempts, maxAttempts }: Pick<Job, "attempts" | "maxAttempts">,
  thrown: unknown,
): FailedAttempt {
  const error = isShortage(thrown) ? SHORTAGE : diskError(thrown);
  if (!(error instanceof DomainError)) {
    // A bug: its words are for the log.
    const internal: JobError = {
      code: "TASK_FAILED",
      message: "the job failed by an internal error",
    };
    return { error: internal, retryInMs: undefined };
  }
  const mayPass = PASSING.has(error.code) && attempts < maxAttempts;
  const retryInMs = mayPass ? FIRST_RETRY_MS * RETRY_GROWTH ** (attempts - 1) : undefined;
  const { code, message, details, uses } = failureOf(error);
  return {
    error:
      details === undefined ? { code, message } : { code, message, details: { ...details, uses } },
    retryInMs,
  };
}

function isShortage(error: unknown): boolean {
  return error instanceof Error && "code" in error && SHORTAGES.has(String(error.code));
}
