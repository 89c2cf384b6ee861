import { FIELD_RANGES } from "../../../domain/equipment/reading.ts";
import { degreesOf } from "../fields/degrees.ts";
import type { FieldSet } from "../fields/field-set.ts";
import type { MissingHalfSearch } from "../fields/half-position.ts";
import { isJsonObject } from "../payload/json-payload.ts";
import { looseBoolean } from "../payload/loose-boolean.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { nestedProblem } from "../payload/nested.ts";
import { safeFieldName } from "../payload/safe-field-name.ts";

/**
 * Keys that mean one of our fields, by that field; the field's own name is among them. ThingsBoard
 * prescribes neither names nor units: these are the names of its simulators, widgets and gateways, taken
 * in km/h, degrees, metres, percent, hours and degrees Celsius. Names whose unit differs from device to
 * device (`battery`, `odometer`, `oilPressure`, `voltage`) are not among them and stay what they are.
 */
const KEYS_BY_FIELD: Readonly<Record<string, readonly string[]>> = {
  latitude: ["lat", "gpsLatitude"],
  longitude: ["lon", "lng", "long", "gpsLongitude"],
  accuracy_meters: ["accuracy", "gpsAccuracy", "horizontalAccuracy"],
  altitude_meters: ["altitude", "alt", "elevation", "gpsAltitude"],
  speed_kmh: ["speed", "gpsSpeed", "vehicleSpeed"],
  heading: ["course", "bearing", "azimuth"],
  satellites: ["sat", "sats", "satelliteCount"],
  engine_on: ["ignition", "engine", "engineRunning"],
  engine_hours: ["operatingHours", "hourMeter"],
  engine_speed_rpm: ["rpm", "engineRpm", "engineSpeed"],
  fuel_level_percent: ["fuel", "fuelLevel"],
  battery_percent: ["batteryLevel"],
  coolant_temperature_c: ["coolantTemperature", "coolantTemp", "engineCoolantTemperature"],
  load_percent: ["engineLoad"],
  def_level_percent: ["defLevel", "adBlueLevel"],
};

const fieldByKey = new Map<string, string>(
  Object.keys(FIELD_RANGES).flatMap((field) =>
    [field, ...(KEYS_BY_FIELD[field] ?? [])].map((key) => [folded(key), field] as const),
  ),
);

/** The field that a key means, whatever its case, blanks, hyphens and dots; `undefined`: none of ours. */
function fieldOfKey(key: string): string | undefined {
  return fieldByKey.get(key) ?? (key.length > 64 ? undefined : fieldByKey.get(folded(key)));
}

function folded(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Fills `fields` with the numbers of one moment. Numbers as text count as numbers, as ThingsBoard takes
 * them unless configured otherwise (`JSON_TYPE_CAST_ENABLED`). "N/A" for a speed says nothing, and other
 * text in place of a number is suspect. `search`: of the whole message.
 * @throws DomainError `DECODE_FAILED`
 */
export function readValues(
  samples: readonly JsonObject[],
  fields: FieldSet,
  search: MissingHalfSearch,
): void {
  let latitude: number | undefined;
  let longitude: number | undefined;
  for (const values of samples) {
    for (const key in values) {
      if (key === "ts") continue;
      const value = values[key];
      const field = fieldOfKey(key);
      if (field === "latitude") latitude = degreesOf(value, key, fields) ?? latitude;
      else if (field === "longitude") longitude = degreesOf(value, key, fields) ?? longitude;
      else if (field === "engine_on") setEngineOn(key, value, fields);
      else if (field !== undefined) fields.take(field, key, value);
      else keepValue(key, value, fields);
    }
  }
  if ((latitude === undefined) !== (longitude === undefined)) {
    const others = samples.flatMap((values) =>
      Object.keys(values).filter((key) => fieldOfKey(key) === undefined),
    );
    throw fields.failure(search.problem(latitude === undefined ? "latitude" : "longitude", others));
  }
  if (latitude !== undefined && longitude !== undefined) fields.setPosition(latitude, longitude);
  if (samples.some(isForGateway)) {
    throw fields.failure(
      "this is the gateway API's form, by device name; publish each device to its own topic",
    );
  }
}

/** `engine` may be another number than 0 and 1, such as a state; that is kept as it is. */
function setEngineOn(key: string, value: unknown, fields: FieldSet): void {
  const isOn = looseBoolean(value);
  if (isOn === undefined) keepValue(key, value, fields);
  else fields.set("engine_on", isOn ? 1 : 0);
}

function keepValue(key: string, value: unknown, fields: FieldSet): void {
  const number = typeof value === "boolean" ? Number(value) : looseNumber(value);
  if (number !== undefined) fields.keep(safeFieldName(key), number);
  else {
    const nested = nestedProblem(value);
    if (nested !== undefined) fields.notRead(key, nested);
  }
}

/** `{"Device A": [{"ts", "values"}]}` of `v1/gateway/telemetry`: it would read as no values at all. */
function isForGateway(values: JsonObject): boolean {
  for (const key in values) {
    const value = values[key];
    if (!Array.isArray(value) || !isJsonObject(value[0])) continue;
    if ("ts" in value[0] || "values" in value[0]) return true;
  }
  return false;
}
