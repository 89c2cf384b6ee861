import type { FIELD_RANGES } from "../../../domain/equipment/reading.ts";

type Field = keyof typeof FIELD_RANGES & string;

/** How a value in one unit becomes one of the field: times the first, plus the second. */
type Conversion = readonly [times: number, plus: number];

/** A field of ours that a name and a unit mean. */
export interface FieldMeaning {
  readonly field: Field;
  /** Place of the field among all that have names, from 0: for a table by field, which is faster than a map. */
  readonly index: number;
  readonly conversion: Conversion;
}

interface Row {
  readonly field: Field;
  /** Last part of a name, or its last two joined by "_", in snake case. */
  readonly names: readonly string[];
  /** Names that say enough only without another part before them: `wind/speed` is not a speed of the machine. */
  readonly bare?: readonly string[];
  readonly units: Readonly<Record<string, Conversion>>;
  /**
   * The one of `units` that a value is in where its format cannot say; none where it differs from device
   * to device.
   */
  readonly usual?: string;
}

/** Units of the IANA registry (RFC 8428 section 12.1, RFC 8798), and those that devices write beside them. */
const UNITS = {
  percent: { "%": [1, 0], "/100": [1, 0], "/": [100, 0] },
  hours: { s: [1 / 3_600, 0], min: [1 / 60, 0], h: [1, 0] },
  count: { "": [1, 0], "1": [1, 0], "/": [1, 0], count: [1, 0] },
  meters: { m: [1, 0], km: [1_000, 0] },
} as const;

/**
 * Every field by its name and the units it may come in. A unit that is not listed (a coolant in deg F)
 * leaves the value under its own name, unconverted. "" is a value that is declared to have no unit.
 */
const ROWS: readonly Row[] = [
  {
    field: "latitude",
    names: ["lat", "latitude"],
    units: { "": [1, 0], lat: [1, 0], deg: [1, 0] },
    usual: "",
  },
  {
    field: "longitude",
    names: ["lon", "lng", "long", "longitude"],
    units: { "": [1, 0], lon: [1, 0], deg: [1, 0] },
    usual: "",
  },
  {
    field: "altitude_meters",
    names: ["altitude"],
    bare: ["alt", "elevation"],
    units: UNITS.meters,
    usual: "m",
  },
  {
    field: "accuracy_meters",
    names: ["accuracy", "horizontal_accuracy", "hacc"],
    units: UNITS.meters,
    usual: "m",
  },
  {
    field: "speed_kmh",
    names: ["gps_speed", "ground_speed", "vehicle_speed", "wheel_speed", "machine_speed"],
    bare: ["speed", "velocity"],
    units: { "m/s": [3.6, 0], "km/h": [1, 0] },
    usual: "km/h",
  },
  {
    field: "heading",
    names: ["gps_heading", "gps_course"],
    bare: ["heading", "course", "bearing"],
    units: { deg: [1, 0], rad: [180 / Math.PI, 0] },
    usual: "deg",
  },
  {
    field: "coolant_temperature_c",
    names: ["coolant", "coolant_temp", "coolant_temperature", "engine_coolant"],
    units: { Cel: [1, 0], K: [1, -273.15] },
    usual: "Cel",
  },
  {
    field: "oil_pressure_kpa",
    names: ["oil_pressure", "oilpressure"],
    units: { Pa: [0.001, 0], hPa: [0.1, 0], kPa: [1, 0] },
  },
  {
    field: "battery_voltage",
    names: ["battery_voltage", "battery", "vbat", "vbatt", "supply_voltage"],
    units: { V: [1, 0], mV: [0.001, 0] },
    usual: "V",
  },
  {
    field: "battery_percent",
    names: ["battery_level", "battery"],
    units: UNITS.percent,
    usual: "%",
  },
  {
    field: "fuel_level_percent",
    names: ["fuel_level", "fuel_tank", "fuel"],
    units: UNITS.percent,
    usual: "%",
  },
  {
    field: "def_level_percent",
    names: ["def_level", "adblue_level"],
    units: UNITS.percent,
    usual: "%",
  },
  {
    field: "load_percent",
    names: ["engine_load"],
    bare: ["load"],
    units: UNITS.percent,
    usual: "%",
  },
  {
    field: "engine_hours",
    names: ["engine_hours", "operating_hours"],
    bare: ["hours"],
    units: UNITS.hours,
    usual: "h",
  },
  { field: "engine_hours", names: ["engine_runtime"], units: UNITS.hours },
  { field: "idle_hours", names: ["idle_hours"], units: UNITS.hours, usual: "h" },
  { field: "idle_hours", names: ["idle_time"], units: UNITS.hours },
  { field: "odometer_km", names: ["odometer", "mileage"], units: { m: [0.001, 0], km: [1, 0] } },
  {
    field: "fuel_used_liters",
    names: ["fuel_used", "total_fuel", "total_fuel_used"],
    units: { l: [1, 0], L: [1, 0], m3: [1_000, 0] },
  },
  {
    field: "fuel_rate_lph",
    names: ["fuel_rate"],
    units: { "l/s": [3_600, 0], "m3/s": [3_600_000, 0], "l/h": [1, 0] },
  },
  {
    field: "engine_speed_rpm",
    names: ["engine_speed", "engine_rpm", "rpm"],
    units: { "1/min": [1, 0], rpm: [1, 0], "1/s": [60, 0], Hz: [60, 0] },
    usual: "rpm",
  },
  { field: "payload_kg", names: ["payload"], units: { kg: [1, 0], g: [0.001, 0], t: [1_000, 0] } },
  { field: "hdop", names: ["hdop"], units: UNITS.count, usual: "" },
  { field: "pdop", names: ["pdop"], units: UNITS.count, usual: "" },
  { field: "satellites", names: ["satellites", "sats"], units: UNITS.count, usual: "" },
  { field: "load_count", names: ["load_count"], units: UNITS.count, usual: "" },
  {
    field: "engine_on",
    names: ["engine_on", "ignition", "engine_running"],
    units: UNITS.count,
    usual: "",
  },
];

/** Units that say what a value is, whatever its name. */
const FIELD_BY_UNIT = new Map<string, Field>([
  ["lat", "latitude"],
  ["lon", "longitude"],
  ["%EL", "battery_percent"],
]);
const SAME: Conversion = [1, 0];
const indexByField: ReadonlyMap<string, number> = new Map(
  [...new Set(ROWS.map((row) => row.field))].map((field, index) => [field, index]),
);

const rowsByName = indexed((row) => [...new Set([row.field, ...row.names])]);
const rowsByBareName = indexed((row) => row.bare ?? []);

/**
 * The field meant by the last part of a name, the part before it ("" for none) and a unit. `undefined`
 * for the unit: the format has none, or the device did not send it. Then the usual one is taken, where
 * there is one and the name alone decides between fields.
 */
export function meaningOf(
  last: string,
  before: string,
  unit: string | undefined,
): FieldMeaning | undefined {
  const byUnit = unit === undefined ? undefined : FIELD_BY_UNIT.get(unit);
  if (byUnit !== undefined) return meaning(byUnit, SAME);
  // Our own field names say their unit themselves.
  if ((unit ?? "") === "" && isOwnField(last)) return meaning(last, SAME);
  return (
    (before === "" ? undefined : fitting(rowsByName.get(`${before}_${last}`), unit)) ??
    fitting(rowsByName.get(last), unit) ??
    (before === "" ? fitting(rowsByBareName.get(last), unit) : undefined)
  );
}

function isOwnField(name: string): name is Field {
  return indexByField.has(name);
}

function meaning(field: Field, conversion: Conversion): FieldMeaning {
  const index = indexByField.get(field);
  if (index === undefined) throw new Error(`${field} has no names`);
  return { field, index, conversion };
}

function fitting(rows: readonly Row[] = [], unit: string | undefined): FieldMeaning | undefined {
  if (unit === undefined) return usualMeaning(rows);
  for (const { field, units } of rows) {
    const conversion = Object.hasOwn(units, unit) ? units[unit] : undefined;
    if (conversion !== undefined) return meaning(field, conversion);
  }
  return undefined;
}

/** `battery` alone is volts of one device and percent of another. */
function usualMeaning(rows: readonly Row[]): FieldMeaning | undefined {
  const [row, other] = rows.filter(({ usual }) => usual !== undefined);
  if (row?.usual === undefined || other !== undefined) return undefined;
  const conversion = row.units[row.usual];
  return conversion === undefined ? undefined : meaning(row.field, conversion);
}

function indexed(namesOf: (row: Row) => readonly string[]): ReadonlyMap<string, readonly Row[]> {
  const index = new Map<string, Row[]>();
  for (const row of ROWS) {
    for (const name of namesOf(row)) index.set(name, [...(index.get(name) ?? []), row]);
  }
  return index;
}
