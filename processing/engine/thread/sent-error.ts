import { DomainError } from "../../../domain/errors.ts";
import { errorOf, type Failure, failureOf } from "../../pool/task-result.ts";

/**
 * A thrown error that can be sent to another thread: cloning alone turns every error into a plain one,
 * without its `code`.
 */
export interface SentError {
  /** Set for errors of the domain. */
  readonly failure: Failure | undefined;
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** `ENOSPC` and its like; the queue distinguishes them from bugs. */
  readonly code: string | undefined;
  readonly cause: SentError | undefined;
}

export function sentError(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack, cause } = error;
  const code: unknown = "code" in error ? error.code : undefined;
  return {
    failure: error instanceof DomainError ? failureOf(error) : undefined,
    name,
    message,
    stack,
    code: typeof code === "string" ? code : undefined,
    cause: cause === undefined ? undefined : sentError(cause),
  };
}

/** The error as it was thrown, of its own class where it is the domain's, with the place it came from. */
export function receivedError({ failure, name, message, stack, code, cause }: SentError): Error {
  const options = cause === undefined ? {} : { cause: receivedError(cause) };
  const error =
    failure === undefined
      ? Object.assign(new Error(message, options), { name }, code === undefined ? {} : { code })
      : Object.assign(errorOf(failure), options);
  if (stack !== undefined) error.stack = stack;
  return error;
}
