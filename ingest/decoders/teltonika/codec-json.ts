import {
  type DecodedReading,
  MAX_FIELDS,
  MAX_READINGS,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { Decoder } from "../fields/decoder.ts";
import { parseDeviceTime } from "../fields/device-time.ts";
import { FieldSet } from "../fields/field-set.ts";
import { jsonPayload, readEach } from "../fields/refusals.ts";
import { isJsonObject, readJson } from "../payload/json-payload.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { AvlFields, setFix } from "./avl-fields.ts";
import { MAX_AVL_ID } from "./avl-ids.ts";
import type { AvlMeaning, AvlTable } from "./avl-table.ts";
import { AvlTexts } from "./avl-texts.ts";
import { avlTable } from "./codec8.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** `latlng`: decimal degrees, latitude first. */
const LATLNG = /^ ?([+-]?\d{1,3}(?:\.\d{1,15})?) ?, ?([+-]?\d{1,3}(?:\.\d{1,15})?) ?$/;
/**
 * Most values of one record; a device has a few dozen. More make a record of an attacker costly; fewer could
 * refuse a device.
 */
const MAX_VALUES = 1_000;
const ZERO = 0x30;
/** Keys of a record that are not AVL ids. */
const STRUCTURAL = new Set(["ts", "pr", "latlng", "alt", "ang", "sat", "sp", "evt"]);

/**
 * Teltonika Codec JSON as trackers publish it over MQTT (wiki.teltonika-gps.com, "Codec JSON"). It is
 * one record in `state.reported`, or an array of records there or at the top, in any order of time.
 * Numbers may be text. Other text is not telemetry, but for the VIN (256), trouble codes (281) and an
 * iButton in hexadecimal (78).
 */
export const teltonika: Decoder = {
  name: "teltonika",
  topicFormat: "teltonika",
  decode(payload, { options }) {
    const value = readJson(payload);
    // The answer to another server's command: understood, and not telemetry.
    if (isJsonObject(value) && "RSP" in value && !("state" in value)) {
      return { readings: [], notices: [], ignored: 1 };
    }
    const records = recordsOf(value);
    if (records.length === 0 || records.length > MAX_READINGS) {
      throw failure(`${records.length} records; 1 to ${MAX_READINGS} are allowed`);
    }
    let ignored = 0;
    const ids = avlTable(options);
    const texts = new AvlTexts();
    const message = readEach(
      records,
      (record, i) => {
        const where = records.length === 1 ? "" : `record ${i}`;
        const decoded = readRecord(record, where, ids, texts);
        ignored += decoded.ignored;
        return decoded.reading;
      },
      (refused) => jsonPayload(refused.map((reported) => ({ state: { reported } }))),
    );
    return { ...message, notices: texts.notices(), ignored };
  },
};

/** Everything in the place of a record, in the order of the payload. */
function recordsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(reportedOf);
  const reported = reportedOf(value);
  return Array.isArray(reported) ? reported : [reported];
}

function reportedOf(message: unknown): unknown {
  const state: unknown = isJsonObject(message) ? message["state"] : undefined;
  const reported = isJsonObject(state) ? state["reported"] : undefined;
  if (reported === undefined) throw failure("no state.reported");
  return reported;
}

function readRecord(
  record: unknown,
  where: string,
  ids: AvlTable,
  texts: AvlTexts,
): { readonly reading: DecodedReading; readonly ignored: number } {
  if (!isJsonObject(record)) {
    throw new FieldSet(where).failure("state.reported is not an object");
  }
  const names = Object.keys(record);
  const fields = new FieldSet(where, names.length);
  if (names.length > MAX_VALUES) {
    throw fields.failure(`${names.length} values; ${MAX_VALUES} are allowed`);
  }
  const hasFix = readFix(record, fields);
  const avl = new AvlFields(fields, hasFix);
  const deviceTimeMs = readTime(record["ts"], fields);
  texts.begin(deviceTimeMs);
  const others: string[] = [];
  for (const name of names) {
    const id = avlId(name);
    if (id < 0) {
      if (!STRUCTURAL.has(name)) others.push(name);
      continue;
    }
    const given = record[id];
    if (typeof given === "string" && texts.takeText(id, given)) continue;
    const value = numberOf(given);
    const meaning = ids.meaning(id);
    if (value !== undefined) avl.take(id, value, meaning);
    else if (meaning !== undefined && typeof given === "string") doubt(fields, id, given, meaning);
  }
  // Low priority and "no event, but the time came" are what nearly every record says.
  keepUnlessZero(fields, "priority", record["pr"]);
  keepUnlessZero(fields, "event_avl_id", record["evt"]);
  let ignored = avl.finish();
  let room = others.length === 0 ? 0 : MAX_FIELDS - Object.keys(fields.fields).length;
  for (const name of others) {
    const value = numberOf(record[name]);
    if (value === undefined) continue;
    if (room > 0) fields.keep(name, value);
    else {
      fields.leftOut(name);
      ignored += 1;
    }
    room -= 1;
  }
  return { reading: fields.toReading(deviceTimeMs, undefined, texts.faults), ignored };
}

function doubt(fields: FieldSet, id: number, given: string, { field }: AvlMeaning): void {
  fields.suspect(`avl_${id}`, given, `not a number (${field})`);
}

/** Sets position and movement; yields whether there is a fix. */
function readFix(record: JsonObject, fields: FieldSet): boolean {
  const number = (name: string): number | undefined => {
    const value = record[name] ?? undefined;
    if (value === undefined || value === "") return undefined;
    const read = looseNumber(value);
    if (read === undefined) fields.suspect(name, value, "not a number");
    return read;
  };
  const [latitude, longitude] = readPlace(record["latlng"], fields);
  return setFix(fields, {
    latitude,
    longitude,
    altitude: number("alt"),
    angle: number("ang"),
    satellites: number("sat"),
    speed: number("sp"),
  });
}

function readPlace(value: unknown, fields: FieldSet): readonly [number?, number?] {
  if (value === undefined || value === null || value === "") return [];
  const match = typeof value === "string" ? LATLNG.exec(value) : null;
  if (match === null) throw fields.failure('latlng is not text such as "54.714493,25.303685"');
  return [Number(match[1]), Number(match[2])];
}

function readTime(value: unknown, fields: FieldSet): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const timeMs = parseDeviceTime(value);
  if (timeMs === undefined) throw fields.failure("ts is not a time in epoch milliseconds");
  return timeMs;
}

function keepUnlessZero(fields: FieldSet, name: string, value: unknown): void {
  const number = looseNumber(value);
  if (number !== undefined && number !== 0) fields.keep(name, number);
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "boolean" ? Number(value) : looseNumber(value);
}

/** The AVL id that a key is, written without leading zeros; -1: it is not one. Half the time of a regexp. */
function avlId(name: string): number {
  const { length } = name;
  if (length === 0 || length > 5 || (length > 1 && name.charCodeAt(0) === ZERO)) return -1;
  let id = 0;
  for (let i = 0; i < length; i += 1) {
    const digit = name.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    id = id * 10 + digit;
  }
  return id <= MAX_AVL_ID ? id : -1;
}

function failure(problem: string): DomainError {
  return new DomainError("DECODE_FAILED", problem);
}
