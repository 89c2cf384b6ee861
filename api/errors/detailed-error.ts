import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import type { ErrorDetail } from "./error.ts";

/** A failure with more than its message: what is wrong, part by part. */
export class DetailedError extends DomainError {
  readonly details: readonly ErrorDetail[];

  constructor(code: ErrorCode, message: string, details: readonly ErrorDetail[]) {
    super(code, message);
    this.details = details;
  }
}
