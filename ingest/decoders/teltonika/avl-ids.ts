import { FIELD_RANGES } from "../../../domain/reading.ts";

/** What the number of one AVL id means. */
export interface AvlMeaning {
  /** The field it fills; known fields in their own unit, others in the unit of the name. */
  readonly field: string;
  /** The number on the wire divided by this is in the unit of `field`. */
  readonly per: number;
  /** Whether the bytes of Codec 8 are a two's complement number. JSON writes the sign itself. */
  readonly signed: boolean;
  /** Inclusive; outside, the number is no measurement and is kept under its id as it came. */
  readonly min: number;
  readonly max: number;
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
}

/**
 * The AVL ids with a meaning of ours, by the parameter lists of the FMB, FMC and FMM families and their
 * CAN adapters (wiki.teltonika-gps.com, "Teltonika Data Sending Parameters ID"). The professional FMx6xx
 * trackers number their CAN values differently.
 *
 * `battery_voltage` is the machine's supply (66); the tracker's own cell has names of its own. Engine
 * hours are the machine's meter (102); what the tracker counted itself (103) starts at its installation.
 * Id 12 is reckoned from positions and a table: the meter of the machine (83) comes first. Id 13 is
 * litres per 100 km and so no `fuel_rate_lph`. The FMB9's own document has 25 to 28 in 0.1 C; all later
 * lists have 0.01.
 */
const ENTRIES: Readonly<Record<number, Entry>> = {
  12: { field: "fuel_used_liters", per: 1_000, otherwise: "gps_fuel_used_liters" },
  13: { field: "gps_fuel_l_per_100km", per: 100 },
  15: { field: "eco_score", per: 100 },
  16: { field: "odometer_km", per: 1_000 },
  17: { field: "acceleration_x_mg", signed: true },
  18: { field: "acceleration_y_mg", signed: true },
  19: { field: "acceleration_z_mg", signed: true },
  21: { field: "gsm_signal" },
  24: { field: "speed_kmh", otherwise: "gnss_speed_kmh", gnss: true },
  25: { field: "ble_temperature_1_c", per: 100, signed: true },
  26: { field: "ble_temperature_2_c", per: 100, signed: true },
  27: { field: "ble_temperature_3_c", per: 100, signed: true },
  28: { field: "ble_temperature_4_c", per: 100, signed: true },
  31: { field: "load_percent", otherwise: "obd_load_percent" },
  32: { field: "coolant_temperature_c", signed: true, otherwise: "obd_coolant_temperature_c" },
  36: { field: "engine_speed_rpm", otherwise: "obd_engine_speed_rpm" },
  48: { field: "fuel_level_percent", otherwise: "obd_fuel_level_percent" },
  66: { field: "battery_voltage", per: 1_000 },
  67: { field: "tracker_battery_voltage", per: 1_000 },
  68: { field: "tracker_battery_current_a", per: 1_000 },
  69: { field: "gnss_status" },
  72: { field: "temperature_1_c", per: 10, signed: true },
  73: { field: "temperature_2_c", per: 10, signed: true },
  74: { field: "temperature_3_c", per: 10, signed: true },
  75: { field: "temperature_4_c", per: 10, signed: true },
  80: { field: "data_mode" },
  81: { field: "can_speed_kmh" },
  83: { field: "fuel_used_liters", per: 10 },
  84: { field: "fuel_level_liters", per: 10 },
  85: { field: "engine_speed_rpm" },
  87: { field: "can_odometer_km", per: 1_000 },
  89: { field: "fuel_level_percent" },
  102: { field: "engine_hours", per: 60 },
  103: { field: "counted_engine_hours", per: 60 },
  105: { field: "counted_odometer_km", per: 1_000 },
  107: { field: "counted_fuel_used_liters", per: 10 },
  110: { field: "fuel_rate_lph", per: 10 },
  111: { field: "def_level_percent" },
  113: { field: "battery_percent" },
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
};

/** Greatest AVL id: two bytes in Codec 8 Extended. */
export const MAX_AVL_ID = 65_535;

const NO_LIMIT = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

/** By id, dense up to the last one with a meaning. */
const meanings: (AvlMeaning | undefined)[] = [];
for (let id = 0; id <= Math.max(...Object.keys(ENTRIES).map(Number)); id += 1) {
  const entry = ENTRIES[id];
  meanings.push(entry === undefined ? undefined : meaning(entry));
}

function meaning({ field, per = 1, signed, otherwise = "", gnss }: Entry): AvlMeaning {
  const range = FIELD_RANGES[field];
  return {
    field,
    per,
    signed: signed === true,
    ...(range ?? NO_LIMIT),
    isKnown: range !== undefined,
    isGnss: gnss === true,
    isFlag: field === "engine_on",
    otherwise,
  };
}

/** What an AVL id means; `undefined`: it is kept under its number. */
export function avlMeaning(id: number): AvlMeaning | undefined {
  return meanings[id];
}
