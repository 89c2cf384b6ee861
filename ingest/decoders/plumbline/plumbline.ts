import {
  type DecodedReading,
  FIELD_NAME,
  MAX_FIELDS,
  MAX_READINGS,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import { type Decoder, readingsOnly } from "../fields/decoder.ts";
import { readFaultCodes } from "../fields/fault-codes.ts";
import { rangeByField } from "../fields/field-set.ts";
import { jsonPayload, readEach } from "../fields/refusals.ts";
import { readJson } from "../payload/json-payload.ts";
import { readClosely } from "./closely.ts";
import { NameSearch, STRUCTURAL } from "./own-names.ts";
import { scanReading } from "./scan-reading.ts";
import {
  checkPosition,
  failure,
  firstUnread,
  isSeq,
  marked,
  readFlag,
  readTime,
  type Source,
} from "./structure.ts";

/**
 * Our own JSON: one reading, or an array of up to 1,000, in the names and units of `domain/equipment/reading.ts`; `lat`, `lon`,
 * `lng` and `long` are taken too. Unknown numbers are stored as they are, unknown booleans as 0 or 1; unknown text is
 * ignored. Objects, arrays and names that are not field names are noted and not read; null is the same as absent. A
 * reading with `is_historical` is the past, sent late (`DecodedReading.isHistorical`).
 *
 * A hand-written loop over `JSON.parse`, because this is the hottest code of the service. A 200-byte reading of ten
 * fields takes 1.6 us, 0.9 us of it in `JSON.parse` (bench/ingest.ts, `decode`).
 */
export const plumbline: Decoder = {
  name: "plumbline",
  topicFormat: "telemetry",
  decode(payload) {
    const value = readJson(payload);
    const search = new NameSearch();
    if (!Array.isArray(value)) return readingsOnly([readReading(value, undefined, search)]);
    if (value.length === 0 || value.length > MAX_READINGS) {
      const problem = `${value.length} readings; 1 to ${MAX_READINGS} are allowed`;
      throw new DomainError("DECODE_FAILED", problem);
    }
    return readEach(value, (one, i) => readReading(one, i, search), jsonPayload);
  },
  scan: scanReading,
};

/** What is asked first of each name: nearly all of them are fields with a range. */
const usualRanges = new Map([...rangeByField].filter(([name]) => !STRUCTURAL.has(name)));

/** `index` is the place in the array; `undefined` for a single reading. */
function readReading(
  value: unknown,
  index: number | undefined,
  search: NameSearch,
): DecodedReading {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw failure(index, "not a JSON object of fields");
  }
  const source = value as Source;
  return readPlainly(source, index, search) ?? readClosely(source, index, search);
}

/** `undefined`: something in it has to be read field by field, and perhaps noted. */
function readPlainly(
  source: Source,
  index: number | undefined,
  search: NameSearch,
): DecodedReading | undefined {
  const fields: Record<string, number> = {};
  let count = 0;
  for (const name in source) {
    const field = source[name];
    const range = usualRanges.get(name);
    if (range !== undefined) {
      if (field === null) continue;
      if (typeof field !== "number" || !(field >= range.min && field <= range.usual)) {
        return undefined;
      }
      fields[name] = field;
    } else if (field === null || STRUCTURAL.has(name)) {
      continue;
    } else {
      if (name in Object.prototype || !search.isOwn(name)) return undefined;
      if (typeof field === "string") continue;
      if (!isNumberOrFlag(field) || !FIELD_NAME.test(name)) return undefined;
      fields[name] = Number(field);
    }
    count += 1;
    if (count > MAX_FIELDS) return undefined;
  }
  const engineOn = source["engine_on"] ?? undefined;
  if (engineOn !== undefined) {
    const flag = readFlag(engineOn);
    if (flag === undefined || count === MAX_FIELDS) return undefined;
    fields["engine_on"] = flag;
  }
  const seq = source["seq"] ?? undefined;
  if (seq !== undefined && !isSeq(seq)) return undefined;
  let hasFlaw = false;
  const faults = readFaultCodes(source["fault_codes"] ?? undefined, () => {
    hasFlaw = true;
  });
  if (hasFlaw) return undefined;
  const isEmpty = count === 0 && engineOn === undefined && faults === undefined;
  if (isEmpty && firstUnread(source) !== undefined) return undefined;
  checkPosition(fields, source, index, search);
  const reading = { deviceTimeMs: readTime(source, index), seq, fields, faults };
  return marked(reading, source, index);
}

/** Whether a value of the device's own can be stored as it is. */
const isNumberOrFlag = (value: unknown): value is number | boolean =>
  typeof value === "boolean" || Number.isFinite(value);
