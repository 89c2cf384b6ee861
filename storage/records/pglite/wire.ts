/**
 * The little of the PostgreSQL wire protocol (manual, chapter "Frontend/Backend Protocol") that is
 * needed to pass it on: a message is one type byte, then its length as a big-endian int32 that
 * counts itself and the rest, then the rest. The first message of a connection has no type byte.
 */

const HEADER_BYTES = 5;

const code = (character: string): number => character.charCodeAt(0);
const SYNC = code("S");
const QUERY = code("Q");
const TERMINATE = code("X");
const ERROR = code("E");
const READY_FOR_QUERY = code("Z");
/** Field of an error message: severity, never translated. */
const SEVERITY_FIELD = code("V");

/** `flushed`: the database owes an answer to what came so far. */
export type RequestState = "gathering" | "flushed" | "terminated";

/**
 * The state of a connection after the client wrote `bytes`, which begin and end with whole messages (pg
 * writes message by message).
 * @throws Error when they do not.
 */
export function requestState(bytes: Uint8Array): RequestState {
  let type = 0;
  for (const message of messages(bytes)) type = message.type;
  if (type === TERMINATE) return "terminated";
  return type === SYNC || type === QUERY ? "flushed" : "gathering";
}

/** A simple query. */
export function simpleQuery(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`);
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = QUERY;
  header.writeInt32BE(text.length + 4, 1);
  return new Uint8Array(Buffer.concat([header, text]));
}

/** One copy in memory of its own, which can be moved to another thread. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** What an answer says about the session that gave it. */
export interface AnswerState {
  /** The session is ready for more and in no transaction. */
  readonly idle: boolean;
  /** The backend gave up (FATAL or PANIC), or stopped in the middle. */
  readonly dead: boolean;
}

export function answerState(bytes: Uint8Array): AnswerState {
  let fatal = false;
  let status = "";
  for (const { type, body } of messages(bytes)) {
    status = type === READY_FOR_QUERY ? String.fromCharCode(body[0] ?? 0) : "";
    if (type === ERROR) fatal ||= /^(FATAL|PANIC)$/.test(severity(body));
  }
  return { idle: status === "I", dead: fatal || status === "" };
}

function severity(body: Uint8Array): string {
  // Fields: one type byte and a zero-terminated string each.
  const fields = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString("latin1")
    .split("\0");
  return fields.find((field) => field.charCodeAt(0) === SEVERITY_FIELD)?.slice(1) ?? "";
}

function* messages(
  bytes: Uint8Array,
): Generator<{ readonly type: number; readonly body: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  while (offset + HEADER_BYTES <= bytes.length) {
    const end = offset + 1 + view.getInt32(offset + 1);
    if (end <= offset || end > bytes.length) break;
    yield { type: view.getUint8(offset), body: bytes.subarray(offset + HEADER_BYTES, end) };
    offset = end;
  }
  if (offset !== bytes.length) throw new Error("not a row of whole protocol messages");
}
