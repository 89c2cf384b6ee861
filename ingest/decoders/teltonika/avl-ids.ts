import { COMMON_ENTRIES } from "./avl-common.ts";
import { BLUETOOTH_PROBE, NOT_NEGATIVE } from "./avl-sensors.ts";
import { type AvlEntry, AvlTable } from "./avl-table.ts";
import { IBUTTON } from "./text-ids.ts";

/**
 * The AVL ids with a meaning of ours. They follow the parameter lists of the FMB, FMC and FMM families and
 * their CAN adapters (wiki.teltonika-gps.com, "Teltonika Data Sending Parameters ID"). The professional
 * FMx6xx trackers number their CAN values differently and have a list of their own, by a setting of the
 * asset. Without that setting `bytes` distinguishes those that differ in width.
 *
 * `battery_voltage` is the machine's supply: 66, or 800 in the lists of the FT platform, and beside 66
 * where it exceeds 65 V. The tracker's own cell has names of its own. Engine hours are the machine's meter
 * (102); what the tracker counted itself (103) starts at its installation. Id 12 is reckoned from positions
 * and a table: the meter of the machine (83) comes first. Id 13 is litres per 100 km and so no
 * `fuel_rate_lph`. The FMB9's own document has 25 to 28 in 0.1 C; all later lists have 0.01.
 */
const ENTRIES: Readonly<Record<number, AvlEntry>> = {
  ...COMMON_ENTRIES,
  12: { field: "fuel_used_liters", per: 1_000, otherwise: "gps_fuel_used_liters" },
  13: { field: "gps_fuel_l_per_100km", per: 100, ...NOT_NEGATIVE, bytes: 2 },
  15: { field: "eco_score", per: 100, ...NOT_NEGATIVE, bytes: 2 },
  16: { field: "odometer_km", per: 1_000 },
  17: { field: "acceleration_x_mg", signed: true, bytes: 2 },
  18: { field: "acceleration_y_mg", signed: true },
  19: { field: "acceleration_z_mg", signed: true, bytes: 2 },
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
  39: { field: "obd_intake_air_temperature_c", signed: true, bytes: 1, spare: true },
  48: { field: "fuel_level_percent", otherwise: "obd_fuel_level_percent" },
  53: { field: "obd_ambient_temperature_c", signed: true, bytes: 1, spare: true },
  69: { field: "gnss_status", range: { min: 0, max: 5 }, bytes: 1 },
  80: { field: "data_mode", range: { min: 0, max: 5 }, bytes: 1 },
  81: { field: "can_speed_kmh", ...NOT_NEGATIVE },
  83: { field: "fuel_used_liters", per: 10, bytes: 4 },
  84: { field: "fuel_level_liters", per: 10, ...NOT_NEGATIVE, noValue: 65_535, bytes: 2 },
  85: { field: "engine_speed_rpm", bytes: 2 },
  87: { field: "can_odometer_km", per: 1_000, ...NOT_NEGATIVE },
  89: { field: "fuel_level_percent", bytes: 1 },
  102: { field: "engine_hours", per: 60 },
  103: { field: "counted_engine_hours", per: 60, ...NOT_NEGATIVE },
  105: { field: "counted_odometer_km", per: 1_000, ...NOT_NEGATIVE },
  107: { field: "counted_fuel_used_liters", per: 10, ...NOT_NEGATIVE },
  110: { field: "fuel_rate_lph", per: 10, bytes: 2 },
  111: { field: "def_level_percent" },
  113: { field: "battery_percent", bytes: 1 },
  114: { field: "load_percent" },
  115: { field: "coolant_temperature_c", per: 10, signed: true },
  449: { field: "ignition_on_s", ...NOT_NEGATIVE },
  800: { field: "battery_voltage", per: 1_000, otherwise: "extended_supply_voltage" },
};

/** Greatest AVL id: two bytes in Codec 8 Extended and Codec 16. */
export const MAX_AVL_ID = 65_535;

/** Of FMB, FMC and FMM, TAT and TFT trackers; 78 is an iButton. */
export const FMB_IDS = new AvlTable(ENTRIES, [IBUTTON], false);
