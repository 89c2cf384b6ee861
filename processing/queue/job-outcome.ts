import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time.ts";
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

/**
 * Pauses of a job whose store is away, ms: the first, and the longest of those after it, which double. Shorter ones ask
 * a store that is down more often, longer ones delay the job when it is back.
 */
const STORE_WAIT_MS = { first: 10_000, longest: 60_000 };
/**
 * Age of a job up to which it waits for a store, ms. Longer holds up its lane for a bucket that was removed, shorter fails it
 * in outages. Chosen.
 */
const MOST_WAIT_MS = DAY_MS;
/** What is shown of a job that waits so. */
const WAITING = "waiting for a store that does not answer";

export interface FailedAttempt {
  readonly error: JobError;
  /** `undefined`: there is no other attempt. */
  readonly retryInMs: number | undefined;
  /** Nothing was wrong with the job: this is its stage until the next attempt, which is one more than it had. */
  readonly waitStage?: string;
}

/** What becomes of an attempt that ended with this error. */
export function failedAttempt(
  job: Pick<Job, "attempts" | "maxAttempts" | "createdAtMs" | "startedAtMs">,
  thrown: unknown,
): FailedAttempt {
  const { attempts, maxAttempts, createdAtMs, startedAtMs = createdAtMs } = job;
  const error = isShortage(thrown) ? SHORTAGE : diskError(thrown);
  if (!(error instanceof DomainError)) {
    // A bug: its words are for the log.
    const internal: JobError = {
      code: "TASK_FAILED",
      message: "the job failed by an internal error",
    };
    return { error: internal, retryInMs: undefined };
  }
  if (error.code === "STORE_UNAVAILABLE" && startedAtMs - createdAtMs < MOST_WAIT_MS) {
    const { first, longest } = STORE_WAIT_MS;
    const retryInMs = Math.min(longest, first * 2 ** (attempts - 1));
    return { error: jobErrorOf(error), retryInMs, waitStage: WAITING };
  }
  const mayPass = PASSING.has(error.code) && attempts < maxAttempts;
  const retryInMs = mayPass ? FIRST_RETRY_MS * RETRY_GROWTH ** (attempts - 1) : undefined;
  return { error: jobErrorOf(error), retryInMs };
}

function jobErrorOf(error: DomainError): JobError {
  const { code, message, details, uses } = failureOf(error);
  return details === undefined
    ? { code, message }
    : { code, message, details: { ...details, uses } };
}

function isShortage(error: unknown): boolean {
  return error instanceof Error && "code" in error && SHORTAGES.has(String(error.code));
}
