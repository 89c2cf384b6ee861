/** Longest text of a client in a log line, characters. Asset ids have at most 64. */
const MAX_LENGTH = 100;
/** Control characters, which could forge lines of a log or move the cursor of a terminal. */
const CONTROL = /\p{C}/gu;

/** A text that an unknown client sent, made fit for a log line. */
export function printable(text: string): string {
  return text.slice(0, MAX_LENGTH).replace(CONTROL, "?");
}
