import { type DecodedReading, MAX_READINGS } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import { type Decoder, readingsOnly } from "../fields/decoder.ts";
import { parseDeviceTime } from "../fields/device-time.ts";
import { FieldSet } from "../fields/field-set.ts";
import { MissingHalfSearch } from "../fields/half-position.ts";
import { jsonPayload, Refusals } from "../fields/refusals.ts";
import { isJsonObject, readJson } from "../payload/json-payload.ts";
import { readValues } from "./values.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** What belongs to one moment: the values of one element, or of several that carry no time. */
interface Sample {
  readonly deviceTimeMs: number | undefined;
  readonly values: JsonObject[];
  /** The elements of the message that it is made of, and the place of the first. */
  readonly elements: unknown[];
  readonly index: number;
}

/**
 * Device telemetry as for ThingsBoard's topic `v1/devices/me/telemetry`
 * (thingsboard.io/docs/reference/mqtt-api/telemetry). It is `{"ts", "values"}` with epoch ms, plain
 * `{"key": value}`, which gets the server's time, or an array of both.
 */
export const thingsboard: Decoder = {
  name: "thingsboard",
  topicFormat: "thingsboard",
  decode(payload) {
    const message = readJson(payload);
    const search = new MissingHalfSearch();
    if (!Array.isArray(message))
      return readingsOnly([readSample(sampleOf(message, 0, ""), "", search)]);
    if (message.length === 0 || message.length > MAX_READINGS) {
      const problem = `${message.length} readings; 1 to ${MAX_READINGS} are allowed`;
      throw new DomainError("DECODE_FAILED", problem);
    }
    const refusals = new Refusals<readonly unknown[]>();
    const samples = message.flatMap(
      (element, i) => refusals.attempt([element], () => sampleOf(element, i, `reading ${i}`)) ?? [],
    );
    const readings = joinTimeless(samples).flatMap(
      (sample) =>
        refusals.attempt(sample.elements, () =>
          readSample(sample, `reading ${sample.index}`, search),
        ) ?? [],
    );
    return refusals.finish({ readings, notices: [], ignored: 0 }, (elements) =>
      jsonPayload(elements.flat()),
    );
  },
};

/** One element; a `ts` beside plain keys is a time too, though ThingsBoard keeps it as a key. */
function sampleOf(element: unknown, index: number, where: string): Sample {
  const fields = new FieldSet(where);
  if (!isJsonObject(element)) throw fields.failure("not a JSON object of keys and values");
  const { ts, values } = element;
  const isTimed = ts !== undefined && ts !== null;
  const deviceTimeMs = isTimed ? parseDeviceTime(ts) : undefined;
  if (isTimed && deviceTimeMs === undefined) throw fields.failure("ts is not epoch milliseconds");
  if (isJsonObject(values)) return { deviceTimeMs, values: [values], elements: [element], index };
  if (isTimed && values !== undefined) throw fields.failure("values is not a JSON object");
  return { deviceTimeMs, values: [element], elements: [element], index };
}

/**
 * Neighbours without a time are one moment to ThingsBoard: `[{"latitude": 1}, {"longitude": 2}]` is one
 * position. A key that comes again begins the next reading, so that nothing is lost.
 */
function joinTimeless(samples: readonly Sample[]): readonly Sample[] {
  const joined: Sample[] = [];
  const keys = new Set<string>();
  for (const sample of samples) {
    const last = joined.at(-1);
    const own = sample.values.flatMap((values) => Object.keys(values));
    const isNew =
      last === undefined ||
      // What was refused between them kept them apart.
      last.index + last.elements.length !== sample.index ||
      last.deviceTimeMs !== undefined ||
      sample.deviceTimeMs !== undefined ||
      own.some((key) => keys.has(key));
    if (isNew) {
      keys.clear();
      joined.push(sample);
    } else {
      last.values.push(...sample.values);
      last.elements.push(...sample.elements);
    }
    for (const key of own) keys.add(key);
  }
  return joined;
}

function readSample(
  { deviceTimeMs, values }: Sample,
  where: string,
  search: MissingHalfSearch,
): DecodedReading {
  const fields = new FieldSet(where);
  readValues(values, fields, search);
  return fields.toReading(deviceTimeMs);
}
