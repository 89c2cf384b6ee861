import { isUtf8 } from "node:buffer";
import { type Problems, unreadable } from "./schedule-error.ts";

/** How the bytes of a file are text. */
export type FileEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** Bytes that are decoded at once. */
const PIECE_BYTES = 32 * 1024;
/** Longest line, characters: a calendar of a XER with 100 years of exceptions is below 1 million. */
const MOST_LINE_CHARS = 4_000_000;

/** Characters of Windows-1252 at 0x80 to 0x9F (WHATWG Encoding, index-windows-1252). */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const NOT_LATIN_1 = /[\u0080-\u009f]/g;

/** By its byte order mark; else UTF-8 where all of it is, and Windows-1252 where it is not. */
export function encodingOf(content: Uint8Array): FileEncoding {
  if (content[0] === 0xff && content[1] === 0xfe) return "utf-16le";
  if (content[0] === 0xfe && content[1] === 0xff) return "utf-16be";
  return isUtf8(content) ? "utf-8" : "windows-1252";
}

/** The text piece by piece, without the byte order mark. */
export function* textOf(content: Uint8Array, encoding: FileEncoding): Generator<string> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (encoding === "windows-1252") {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      // Not TextDecoder: some versions of Node take the label for Latin-1.
      yield bytes
        .toString("latin1", at, at + PIECE_BYTES)
        .replace(NOT_LATIN_1, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
    }
    return;
  }
  const decoder = new TextDecoder(encoding, { fatal: true });
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield decoded(() => decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true }));
  }
  yield decoded(() => decoder.decode());
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw unreadable("file", "has bytes that are not text in its encoding");
  }
}

/** The lines of a text, without their ends (LF or CRLF). */
export function* linesOf(pieces: Iterable<string>, problems: Problems): Generator<string> {
  let rest = "";
  let count = 0;
  for (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", from)) {
      yield withoutReturn(rest + piece.slice(from, end));
      count += 1;
      rest = "";
      from = end + 1;
    }
    rest += piece.slice(from);
    if (rest.length > MOST_LINE_CHARS) {
      problems.add(`line ${count + 1}`, `is longer than ${MOST_LINE_CHARS} characters`);
      problems.check();
    }
  }
  if (rest !== "") yield withoutReturn(rest);
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
