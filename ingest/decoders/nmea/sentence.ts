import { DomainError } from "../../../domain/errors.ts";

/** Formatters that are read, as a bit each. */
export const FORMATTER_BIT = { RMC: 1, GGA: 2, VTG: 4, GSA: 8 } as const;
export type Formatter = keyof typeof FORMATTER_BIT;

/** One sentence whose checksum is right. */
export interface Sentence {
  readonly formatter: Formatter;
  /** By the numbers of the standard's field lists: 0 is the address; empty text is "not available". */
  readonly fields: readonly string[];
  /** Place in the message, from 1. */
  readonly number: number;
  /** What was not believed of it while it was read; absent from nearly every sentence. */
  suspects?: SuspectText[];
}

/** A text in place of a number, or a number in another unit than the standard's. */
export interface SuspectText {
  readonly name: string;
  readonly text: string;
}

/**
 * Longest sentence that is read, characters. The standard allows 82 (IEC 61162-1, 7.3); receivers that
 * write coordinates to 1e-7 minutes go beyond. Longer lets
 * noise of an open line take work; shorter could refuse a sentence of a maker.
 */
const MAX_SENTENCE_CHARS = 256;
/**
 * Most sentences of one message: 1,000 epochs of four; twice as many took over 5 ms. More hold up other messages;
 * fewer refuse a long backlog.
 */
const MAX_SENTENCES = 4_000;

const DOLLAR = 0x24;
const EXCLAMATION = 0x21;
const STAR = 0x2a;
const COMMA = 0x2c;
const CAPITAL_P = 0x50;
const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

/** What a message holds: the sentences that are read, in order, and the number of all others. */
export interface Sentences {
  readonly sentences: readonly Sentence[];
  readonly ignored: number;
}

/**
 * Splits a message into sentences and checks each one's checksum. A sentence begins at `$` or `!` and
 * ends with its line or where the next begins. What comes before it on its line (a TAG block of NMEA
 * 4.10, a gateway's prefix) is skipped, as a listener on the wire would do.
 * @throws DomainError `DECODE_FAILED`: a wrong checksum or none, a line without a sentence, no sentence
 * at all. The standard demands a checksum since 3.01 (2.0 in RMC only); a sentence that was cut short
 * looks just like one that never had any.
 */
export function readSentences(payload: Uint8Array): Sentences {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  // Once for all sentences; the bytes are for the checksums.
  const text = bytes.toString("latin1");
  const sentences: Sentence[] = [];
  let count = 0;
  let start = -1;
  let isStray = false;
  const end = (at: number): void => {
    count += 1;
    if (count > MAX_SENTENCES) throw failure(`more than ${MAX_SENTENCES} sentences`);
    const sentence = readSentence(bytes, text, start, at, count);
    if (sentence !== undefined) sentences.push(sentence);
  };
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte === DOLLAR || byte === EXCLAMATION) {
      if (start >= 0) end(i);
      start = i;
      isStray = false;
    } else if (byte === CR || byte === LF || byte === 0) {
      if (start >= 0) end(i);
      else if (isStray) throw failure(`no sentence in the line behind sentence ${count}`);
      start = -1;
      isStray = false;
    } else if (start < 0 && byte !== SPACE && byte !== TAB) {
      isStray = true;
    }
  }
  if (start >= 0) end(bytes.length);
  else if (isStray) throw failure(`no sentence in the line behind sentence ${count}`);
  if (count === 0) throw failure("no NMEA sentence");
  return { sentences, ignored: count - sentences.length };
}

/** The sentence in `bytes` from `start` to before `end`; `undefined`: right, and none that is read. */
function readSentence(
  bytes: Buffer,
  text: string,
  start: number,
  end: number,
  number: number,
): Sentence | undefined {
  let last = end;
  while (bytes[last - 1] === SPACE || bytes[last - 1] === TAB) last -= 1;
  let sum = 0;
  let star = start + 1;
  for (; star < last; star += 1) {
    const byte = bytes[star] ?? 0;
    if (byte === STAR) break;
    if (byte < SPACE || byte > 0x7e) throw failure(`sentence ${number}: a byte that is not text`);
    sum ^= byte;
  }
  if (star === last) throw failure(`sentence ${number}: no checksum`);
  if (last - star !== 3 || (hexDigit(bytes[star + 1]) << 4) + hexDigit(bytes[star + 2]) !== sum) {
    throw failure(`sentence ${number}: wrong checksum`);
  }
  // In a proprietary address only `P` is the talker: Garmin's $PGRMC is not an RMC.
  if (bytes[start] === EXCLAMATION || bytes[start + 1] === CAPITAL_P) return undefined;
  if (star - start < 7 || bytes[start + 6] !== COMMA) return undefined;
  const formatter = FORMATTER_BY_CODE.get(
    code(bytes[start + 3] ?? 0, bytes[start + 4] ?? 0, bytes[start + 5] ?? 0),
  );
  if (formatter === undefined) return undefined;
  if (last - start > MAX_SENTENCE_CHARS) {
    throw failure(
      `sentence ${number} (${formatter}): longer than ${MAX_SENTENCE_CHARS} characters`,
    );
  }
  return { formatter, fields: text.slice(start + 1, star).split(","), number };
}

/** Three letters as one number. */
const code = (a: number, b: number, c: number): number => (a << 16) | (b << 8) | c;

const FORMATTER_BY_CODE: ReadonlyMap<number, Formatter> = new Map(
  (Object.keys(FORMATTER_BIT) as Formatter[]).map((name) => [
    code(name.charCodeAt(0), name.charCodeAt(1), name.charCodeAt(2)),
    name,
  ]),
);

/** The value of a hexadecimal digit in either case; far beyond any checksum for everything else. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = (byte | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : 0x1000;
}

function failure(problem: string): DomainError {
  return new DomainError("DECODE_FAILED", problem);
}
