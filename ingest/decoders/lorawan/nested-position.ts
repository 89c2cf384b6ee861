import { FIELD_RANGES, type ReadingRemark } from "../../../domain/reading.ts";
import { looseDegrees } from "../degrees.ts";
import { isJsonObject } from "../json-payload.ts";
import { memberOf, positionNamesIn } from "../nested.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** A decoded object, and what is to be said of positions in it that are not taken. */
interface Flattened {
  readonly object: JsonObject;
  readonly remark?: ReadingRemark;
}

/**
 * Members in which codecs put the position of the device: `gps_1` of The Things Stack's Cayenne LPP,
 * `gpsLocation` of ChirpStack's, `position` and `location` of hand-written ones. Other objects with a place in
 * them may be about something else, such as a beacon or a fence.
 */
const PLACE =
  /^(?:gps|gnss|gps_?location|gps_?position|gps_?coordinates|position|location|coordinates|coords)(?:_?\d{1,3})?$/i;
const CHANNEL = /^\d{1,3}$/;

/** Members beside the pair that have one meaning wherever they stand, by the field that they become. */
const BESIDE: readonly (readonly [field: string, names: readonly string[]])[] = [
  ["altitude_meters", ["altitude_meters", "altitude", "alt"]],
  ["accuracy_meters", ["accuracy_meters", "accuracy"]],
];

/** One position inside the object: `path` of one or two members. */
interface Nested {
  readonly path: readonly [string] | readonly [string, string];
  readonly place: JsonObject;
}

/**
 * The decoded object of an uplink with its one nested position beside its other members, where it has none
 * there. Of several none is taken, and the remark says so: which of them is the machine nobody can tell.
 */
export function withNestedPosition(decoded: JsonObject): Flattened {
  const object = withChannels(decoded);
  const own = positionNamesIn(object);
  if (own !== undefined) return { object };
  const found = placesIn(object);
  const [first, second] = found;
  if (first === undefined) return { object };
  if (second !== undefined) return { object: without(object, found), remark: several(found) };
  return { object: { ...lifted(first.place, object), ...without(object, found) } };
}

/** ChirpStack's Cayenne LPP has an object for each kind, by channel: `{"temperatureSensor": {"2": 21.5}}`. */
function withChannels(object: JsonObject): JsonObject {
  if (!Object.values(object).some(isJsonObject)) return object;
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      if (!isJsonObject(value)) return [[name, value] as const];
      const inner = Object.entries(value);
      const isByChannel = inner.every(([key, one]) => CHANNEL.test(key) && typeof one !== "object");
      if (!isByChannel || inner.length === 0) return [[name, value] as const];
      return inner.map(([channel, one]) => [`${name}_${channel}`, one] as const);
    }),
  );
}

function placesIn(object: JsonObject): readonly Nested[] {
  const found: Nested[] = [];
  for (const [name, value] of Object.entries(object)) {
    if (!PLACE.test(name) || !isJsonObject(value)) continue;
    if (positionNamesIn(value) !== undefined) found.push({ path: [name], place: value });
    for (const [channel, place] of Object.entries(value)) {
      if (!CHANNEL.test(channel) || !isJsonObject(place)) continue;
      if (positionNamesIn(place) !== undefined) found.push({ path: [name, channel], place });
    }
  }
  return found;
}

/** Position, height, accuracy and whatever else has one of our names, as far as the object lacks it. */
function lifted(place: JsonObject, object: JsonObject): JsonObject {
  const names = positionNamesIn(place);
  if (names === undefined || saysNoFix(place[names.latitude], place[names.longitude])) return {};
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(place)) {
    if (Object.hasOwn(FIELD_RANGES, name)) fields[name] = value;
  }
  for (const [field, names] of BESIDE) {
    const name = memberOf(place, names);
    if (name !== undefined) fields[field] = place[name];
  }
  fields["latitude"] = place[names.latitude];
  fields["longitude"] = place[names.longitude];
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => (object[name] ?? undefined) === undefined),
  );
}

/** 0, 0 is what a codec makes of the bytes of a device without a fix; its height is none either. */
const saysNoFix = (latitude: unknown, longitude: unknown): boolean =>
  looseDegrees(latitude) === 0 && looseDegrees(longitude) === 0;

/** The object less the places, of which it keeps what was not lifted, for the notice about it. */
function without(object: JsonObject, found: readonly Nested[]): JsonObject {
  const rest: Record<string, unknown> = { ...object };
  for (const { path, place } of found) {
    const [name, channel] = path;
    const left = found.length > 1 ? {} : unlifted(place);
    const outer = rest[name];
    if (channel === undefined || !isJsonObject(outer)) rest[name] = orNothing(left);
    else rest[name] = orNothing({ ...outer, [channel]: orNothing(left) });
  }
  return rest;
}

function unlifted(place: JsonObject): JsonObject {
  const names = positionNamesIn(place);
  const gone = new Set<string | undefined>([names?.latitude, names?.longitude]);
  for (const [, beside] of BESIDE) gone.add(memberOf(place, beside));
  return Object.fromEntries(
    Object.entries(place).filter(([name]) => !gone.has(name) && !Object.hasOwn(FIELD_RANGES, name)),
  );
}

/** null, which is the same as absent, for an object in which nothing is left. */
const orNothing = (object: JsonObject): JsonObject | null =>
  Object.values(object).some((value) => value !== null && value !== undefined) ? object : null;

function several(found: readonly Nested[]): ReadingRemark {
  const names = found.map(({ path }) => path.join("/"));
  return {
    kind: "fields_left_out",
    name: (names[0] ?? "").slice(0, 64),
    value: found.length,
    problem: `one of ${found.length} positions in the decoded object, of which none is taken; store a mapping that names one`,
  };
}
