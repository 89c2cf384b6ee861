import type { FaultCode, Reading } from "../../../domain/equipment/reading.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import { inUnit } from "../../decoders/fields/units.ts";

export type TraccarAttributes = Readonly<Record<string, number | boolean | string>>;

const M_PER_KM = 1_000;

type Translate = (value: number) => number | boolean;

const same: Translate = (value) => value;
const metres: Translate = (km) => inUnit(km, M_PER_KM);

/**
 * Our fields in Traccar's words and units (`Position.java`): metres, milliseconds for `hours`, volts,
 * percent, litres. Without a word of its own there a field keeps ours, which names its unit.
 */
const ATTRIBUTES_BY_FIELD: ReadonlyMap<string, readonly (readonly [string, Translate])[]> = new Map<
  string,
  readonly (readonly [string, Translate])[]
>([
  ["battery_percent", [["batteryLevel", same]]],
  ["battery_voltage", [["power", same]]],
  ["coolant_temperature_c", [["coolantTemp", same]]],
  ["engine_hours", [["hours", (hours) => Math.round(hours * HOUR_MS)]]],
  ["engine_on", [["ignition", (on) => on !== 0]]],
  ["engine_speed_rpm", [["rpm", same]]],
  ["fuel_level_percent", [["fuelLevel", same]]],
  ["fuel_rate_lph", [["fuelConsumption", same]]],
  ["fuel_used_liters", [["fuelUsed", same]]],
  ["hdop", [["hdop", same]]],
  ["load_percent", [["engineLoad", same]]],
  // The machine's counter, and where Traccar's own reports read the distance.
  [
    "odometer_km",
    [
      ["odometer", metres],
      ["totalDistance", metres],
    ],
  ],
  ["pdop", [["pdop", same]]],
  ["satellites", [["sat", same]]],
]);

/** Members of `position` itself. */
const OF_POSITION: ReadonlySet<string> = new Set([
  "latitude",
  "longitude",
  "altitude_meters",
  "accuracy_meters",
  "speed_kmh",
  "heading",
]);

/** Words whose meaning is Traccar's: a device's own field of that name would be taken for it. */
const TAKEN: ReadonlySet<string> = new Set([
  ...[...ATTRIBUTES_BY_FIELD.values()].flat().map(([word]) => word),
  "archive",
  "dtcs",
]);
/** The two that mean the same on both sides. */
const SHARED: ReadonlySet<string> = new Set(["hdop", "pdop"]);

/** What Traccar reads as yes or no, and fails on as a number. */
const FLAGS: ReadonlySet<string> = new Set([
  "armed",
  "blocked",
  "charge",
  "door",
  "lock",
  "motion",
  "roaming",
]);

/** The `attributes` of a position: every field that is not a member of the position itself. */
export function traccarAttributes({ fields, faults, isHistorical }: Reading): TraccarAttributes {
  const attributes: Record<string, number | boolean | string> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || OF_POSITION.has(name)) continue;
    const words = ATTRIBUTES_BY_FIELD.get(name);
    if (words !== undefined) for (const [word, of] of words) attributes[word] = of(value);
    else if (TAKEN.has(name) && !SHARED.has(name)) attributes[`own_${name}`] = value;
    else attributes[name] = FLAGS.has(name) && (value === 0 || value === 1) ? value === 1 : value;
  }
  if (faults !== undefined) attributes["dtcs"] = faults.map(faultText).join(" ");
  // Traccar's word for what was recorded earlier and is sent late.
  if (isHistorical === true) attributes["archive"] = true;
  return attributes;
}

const faultText = ({ spn, fmi, code }: FaultCode): string => code ?? `${spn}/${fmi}`;
