import { FIELD_RANGES } from "../../../domain/reading.ts";

/** What the number of one AVL id means. */
export interface AvlMeaning {
  /** The field it fills; known fields in their own unit, others in the unit of the name. */
  readonly field: string;
  /** The number on the wire divided by this is in the unit of `field`. */
  readonly per: number;
  /** Whether the bytes of Codec 8 are a two's complement number. JSON writes the sign itself. */
  readonly signed: boolean;
  /** Inclusive, in the unit of `field`; outside, the number is no measurement and is kept as it came. */
  readonly min: number;
  readonly max: number;
  /** The number on the wire, within the range, by which the sensor says that it has no value. */
  readonly noValue: number | undefined;
  /** Whether `field` is one of `FIELD_RANGES`. */
  readonly isKnown: boolean;
  /** Measured by the GNSS receiver: says nothing without a fix. */
  readonly isGnss: boolean;
  /** Only 0 and 1 have a meaning. */
  readonly isFlag: boolean;
  /** Its name where another source, a better one, has filled `field` already; "": it is the best. */
  readonly otherwise: string;
}

interface Entry {
  readonly field: string;
  readonly per?: number;
  readonly signed?: true;
  readonly otherwise?: string;
  readonly gnss?: true;
  /** For fields that `FIELD_RANGES` does not have; see `AvlMeaning`. */
  readonly range?: { readonly min: number; readonly max: number };
  readonly noValue?: number;
  /**
   * Its width in Codec 8, where the professional trackers give the same id to something else of another
   * width: 85 is the engine's speed in two bytes, and its load in one.
   */
  readonly bytes?: 1 | 2 | 4;
}

/** DS18B20 and its kin; 850 is "not ready", 2000, 3000, 4000 and 5000 are other faults. */
const WIRED_PROBE = {
  per: 10,
  signed: true,
  range: { min: -55, max: 115 },
  noValue: 850,
} as const;
/** Faults are 32764 to 32767; older firmware's 2000, 3000 and 4000 cannot be told from 20, 30 and 40 C. */
const BLUETOOTH_PROBE = { per: 100, signed: true, range: { min: -40, max: 125 } } as const;

/**
 * The AVL ids with a meaning of ours, by the parameter lists of the FMB, FMC and FMM families and their
 * CAN adapters (wiki.teltonika-gps.com, "Teltonika Data Sending Parameters ID"). The professional FMx6xx
 * trackers number their CAN values differently; `bytes` tells those apart that differ in width.
 *
 * `battery_voltage` is the machine's supply: 66, or 800 in the lists of the FT platform, and beside 66
 * where it exceeds 65 V. The tracker's own cell has names of its own. Engine hours are the machine's meter
 * (102); what the tracker counted itself (103) starts at its installation. Id 12 is reckoned from positions
 * and a table: the meter of the machine (83) comes first. Id 13 is litres per 100 km and so no
 * `fuel_rate_lph`. The FMB9's own document has 25 to 28 in 0.1 C; all later lists have 0.01.
 */
const ENTRIES: Readonly<Record<number, Entry>> = {
  12: { field: "fuel_used_liters", per: 1_000, otherwise: "gps_fuel_used_liters" },
  13: { field: "gps_fuel_l_per_100km", per: 100, bytes: 2 },
  15: { field: "eco_score", per: 100, bytes: 2 },
  16: { field: "odometer_km", per: 1_000 },
  17: { field: "acceleration_x_mg", signed: true, bytes: 2 },
  18: { field: "acceleration_y_mg", signed: true },
  19: { field: "acceleration_z_mg", signed: true, bytes: 2 },
  21: { field: "gsm_signal" },
  24: { field: "speed_kmh", otherwise: "gnss_speed_kmh", gnss: true },
  25: { field: "ble_temperature_1_c", ...BLUETOOTH_PROBE },
  26: { field: "ble_temperature_2_c", ...BLUETOOTH_PROBE },
  27: { field: "ble_temperature_3_c", ...BLUETOOTH_PROBE },
  28: { field: "ble_temperature_4_c", ...BLUETOOTH_PROBE },
  31: { field: "load_percent", otherwise: "obd_load_percent" },
  32: {
    field: "coolant_temperature_c",
    signed: true,
    otherwise: "obd_coolant_temperature_c",
    bytes: 1,
  },
  36: { field: "engine_speed_rpm", otherwise: "obd_engine_speed_rpm", bytes: 2 },
  48: { field: "fuel_level_percent", otherwise: "obd_fuel_level_percent" },
  66: { field: "battery_voltage", per: 1_000 },
  67: { field: "tracker_battery_voltage", per: 1_000 },
  68: { field: "tracker_battery_current_a", per: 1_000 },
  69: { field: "gnss_status", bytes: 1 },
  72: { field: "temperature_1_c", ...WIRED_PROBE },
  73: { field: "temperature_2_c", ...WIRED_PROBE },
  74: { field: "temperature_3_c", ...WIRED_PROBE },
  75: { field: "temperature_4_c", ...WIRED_PROBE },
  80: { field: "data_mode", bytes: 1 },
  81: { field: "can_speed_kmh" },
  83: { field: "fuel_used_liters", per: 10, bytes: 4 },
  84: { field: "fuel_level_liters", per: 10, bytes: 2 },
  85: { field: "engine_speed_rpm", bytes: 2 },
  87: { field: "can_odometer_km", per: 1_000 },
  89: { field: "fuel_level_percent", bytes: 1 },
  102: { field: "engine_hours", per: 60 },
  103: { field: "counted_engine_hours", per: 60 },
  105: { field: "counted_odometer_km", per: 1_000 },
  107: { field: "counted_fuel_used_liters", per: 10 },
  110: { field: "fuel_rate_lph", per: 10, bytes: 2 },
  111: { field: "def_level_percent" },
  113: { field: "battery_percent", bytes: 1 },
  114: { field: "load_percent" },
  115: { field: "coolant_temperature_c", per: 10, signed: true },
  181: { field: "pdop", per: 10, gnss: true },
  182: { field: "hdop", per: 10, gnss: true },
  199: { field: "trip_odometer_km", per: 1_000 },
  200: { field: "sleep_mode" },
  205: { field: "gsm_cell_id" },
  206: { field: "gsm_area_code" },
  239: { field: "engine_on" },
  240: { field: "movement" },
  241: { field: "gsm_operator" },
  449: { field: "ignition_on_s" },
  800: { field: "battery_voltage", per: 1_000, otherwise: "extended_supply_voltage" },
};

/** Greatest AVL id: two bytes in Codec 8 Extended. */
export const MAX_AVL_ID = 65_535;

const NO_LIMIT = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

/** By id, dense up to the last one with a meaning. */
const meanings: (AvlMeaning | undefined)[] = [];
/** By id; absent: any width will do. */
const widths: (number | undefined)[] = [];
for (let id = 0; id <= Math.max(...Object.keys(ENTRIES).map(Number)); id += 1) {
  const entry = ENTRIES[id];
  meanings.push(entry === undefined ? undefined : meaning(entry));
  widths.push(entry?.bytes);
}

function meaning(entry: Entry): AvlMeaning {
  const { field, per = 1, signed, otherwise = "", gnss, noValue } = entry;
  const range = FIELD_RANGES[field];
  return {
    field,
    per,
    signed: signed === true,
    ...(range ?? entry.range ?? NO_LIMIT),
    noValue,
    isKnown: range !== undefined,
    isGnss: gnss === true,
    isFlag: field === "engine_on",
    otherwise,
  };
}

/** What an AVL id means; `undefined`: it is kept under its number. `bytes`: its width, where there is one. */
export function avlMeaning(id: number, bytes?: number): AvlMeaning | undefined {
  const width = widths[id];
  if (width !== undefined && bytes !== undefined && bytes !== width) return undefined;
  return meanings[id];
}
