import { invalidParameter } from "./validation.ts";

/** Control characters, and halves of surrogate pairs, which UTF-8 cannot hold. */
const UNSENDABLE = /[\p{Cc}\p{Cs}]/u;

/** @throws ParameterError for a name or secret that would not reach another system as it was given. */
export function requireSendable(parameter: string, text: string | undefined): void {
  if (text !== undefined && UNSENDABLE.test(text)) {
    throw invalidParameter(parameter, "has a character that cannot be sent");
  }
}
