import { type JsonPointer, parsePointer, valueAt } from "../../../domain/equipment/json-pointer.ts";
import { DomainError } from "../../../domain/errors.ts";

/** One reading and the message that it is part of: where pointers begin. */
export interface Source {
  readonly reading: unknown;
  readonly message: unknown;
}

/** What a pointer finds; `undefined`: nothing. */
export type Find = (source: Source) => unknown;

/** A pointer that the check of the mapping has found sound, made ready. */
export function finder(text: string): Find {
  const pointer = pointerOf(text);
  return pointer.isOfMessage
    ? ({ message }) => valueAt(pointer, message)
    : ({ reading }) => valueAt(pointer, reading);
}

/** Whether a pointer finds the same for every reading of a message. */
export const isOfMessage = (text: string): boolean => pointerOf(text).isOfMessage;

/** @throws DomainError `MAPPING_INVALID` for a text that is not a pointer. */
export function pointerOf(text: string): JsonPointer {
  const pointer = parsePointer(text);
  if (!("problem" in pointer)) return pointer;
  throw new DomainError("MAPPING_INVALID", `"${text}" ${pointer.problem}`);
}
