import type { DeviceNotice } from "../../../domain/equipment/reading.ts";
import { FieldSet } from "../fields/field-set.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { storableText } from "../payload/storable-text.ts";
import { readTst } from "./epoch-seconds.ts";
import { readPosition } from "./position.ts";

/** Longest text of a notice, characters. */
const MAX_TEXT = 200;

type Message = Readonly<Record<string, unknown>>;
type NoticeData = Record<string, string | number | boolean>;

/**
 * Reads a `transition`, the crossing of a region that lives in the app. It is not a reading: `tst` is
 * "at which the event occurred" and not "of the fix", and both apps publish a `location` beside it.
 * @throws DomainError `DECODE_FAILED`
 */
export function readTransition(message: Message): DeviceNotice {
  const fields = new FieldSet();
  const event = message["event"];
  if (event !== "enter" && event !== "leave") {
    throw fields.failure("event of a transition is neither enter nor leave");
  }
  const data: NoticeData = { event };
  for (const name of ["desc", "rid", "tid", "t"]) addText(data, name, message[name]);
  for (const name of ["wtst", "acc"]) addNumber(data, name, message[name]);
  Object.assign(data, readPosition(message, fields));
  return { kind: "transition", timeMs: readTst(message["tst"], fields), data };
}

/**
 * Reads an `lwt`, which the broker publishes when the app is gone. Its `tst` is when the app connected
 * and so not the time of the break; it is kept as it is.
 */
export function readLastWill(message: Message): DeviceNotice {
  const data: NoticeData = {};
  addNumber(data, "tst", message["tst"]);
  return { kind: "last_will", timeMs: undefined, data };
}

/** Queclink numbers its region ids, so that a number is text as well. */
function addText(data: NoticeData, name: string, value: unknown): void {
  if (typeof value !== "string" && typeof value !== "number") return;
  data[name] = storableText(String(value), MAX_TEXT);
}

function addNumber(data: NoticeData, name: string, value: unknown): void {
  const number = looseNumber(value);
  if (number !== undefined) data[name] = number;
}
