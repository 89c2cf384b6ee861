import { FIELD_RANGES, type ReadingRemark } from "../../../domain/equipment/reading.ts";
import { looseDegrees } from "../fields/degrees.ts";
import { isJsonObject } from "../payload/json-payload.ts";
import { memberOf, positionNamesIn, saysPosition } from "../payload/nested.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** A decoded object, and the remark on positions in it that are not taken. */
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

/** Members beside the pair that have one meaning wherever they are, by the field that they become. */
const BESIDE: readonly (readonly [field: string, names: readonly string[]])[] = [
  ["altitude_meters", ["altitude_meters", "altitude", "alt"]],
  ["accuracy_meters", ["accuracy_meters", "accuracy"]],
];

const OF_FIX: ReadonlySet<string> = new Set([
  "latitude",
  "longitude",
  ...BESIDE.map(([field]) => field),
]);

/** One position inside the object: `path` of one or two members. */
interface Nested {
  readonly path: readonly [string] | readonly [string, string];
  readonly place: JsonObject;
}

/**
 * The decoded object of an uplink with its one nested position moved beside its other members, unless it
 * has one or half of one there. If there are several, none is taken and the remark says so: which of them
 * is the machine is unknown.
 */
export function withNestedPosition(decoded: JsonObject): Flattened {
  const object = withChannels(decoded);
  if (saysPosition(object)) return { object };
  const found = placesIn(object);
  const [first, second] = found;
  if (first === undefined) return { object };
  if (second !== undefined) {
    return { object: replaced(object, found, null), remark: several(found) };
  }
  const { taken, left } = parted(first.place, object);
  // In front, where the last of too many fields is not one of these; behind, where null means absent.
  return { object: { ...taken, ...replaced(object, found, left), ...taken } };
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

/**
 * The members of a place: `taken`, by the field that each becomes, and `left`, which is noted as not read; null
 * when nothing is. A member that the object has beside the place is left. The position is taken whole.
 */
function parted(
  place: JsonObject,
  object: JsonObject,
): { readonly taken: JsonObject; readonly left: JsonObject | null } {
  const fieldByName = fieldsOf(place);
  const isWithoutFix = saysNoFix(place);
  const taken: Record<string, unknown> = {};
  const left: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(place)) {
    if (value === null || value === undefined) continue;
    const field = fieldByName.get(name) ?? (Object.hasOwn(FIELD_RANGES, name) ? name : undefined);
    if (field === undefined || (object[field] ?? undefined) !== undefined) left[name] = value;
    else if (!isWithoutFix || !OF_FIX.has(field)) taken[field] = value;
  }
  return { taken, left: Object.keys(left).length === 0 ? null : left };
}

/** The fields of the fix, by the names that the place has for them. */
function fieldsOf(place: JsonObject): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [field, names] of BESIDE) {
    const name = memberOf(place, names);
    if (name !== undefined) fields.set(name, field);
  }
  const names = positionNamesIn(place);
  if (names === undefined) return fields;
  return fields.set(names.latitude, "latitude").set(names.longitude, "longitude");
}

/** 0, 0 is what a codec makes of the bytes of a device without a fix; its height is not one either. */
function saysNoFix(place: JsonObject): boolean {
  const names = positionNamesIn(place);
  if (names === undefined) return false;
  return looseDegrees(place[names.latitude]) === 0 && looseDegrees(place[names.longitude]) === 0;
}

/** The object with `left` in the stead of each place; null is the same as absent. */
function replaced(
  object: JsonObject,
  found: readonly Nested[],
  left: JsonObject | null,
): JsonObject {
  const rest: Record<string, unknown> = { ...object };
  for (const { path } of found) {
    const [name, channel] = path;
    const outer = rest[name];
    if (channel === undefined || !isJsonObject(outer)) rest[name] = left;
    else rest[name] = orNothing({ ...outer, [channel]: left });
  }
  return rest;
}

/** null for an object in which nothing is left. */
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
