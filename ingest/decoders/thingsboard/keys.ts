import { FIELD_RANGES } from "../../../domain/equipment/reading.ts";

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
export function fieldOfKey(key: string): string | undefined {
  return fieldByKey.get(key) ?? (key.length > 64 ? undefined : fieldByKey.get(folded(key)));
}

function folded(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]+/g, "");
}
