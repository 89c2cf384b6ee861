import { DomainError } from "../../../domain/errors.ts";

/** A surface that cannot be read; `where` is a place in the file, such as "line 12", or "file". */
export const surfaceError = (where: string, message: string): DomainError =>
  new DomainError("SURFACE_INVALID", `The surface cannot be read: ${where} ${message}`);
