import { COMMON_ENTRIES } from "./avl-common.ts";
import { NOT_NEGATIVE } from "./avl-sensors.ts";
import { type AvlEntry, AvlTable } from "./avl-table.ts";
import { IBUTTON, PART_IDS } from "./text-ids.ts";

/** Axles of a lorry and its trailers, FMS. */
const AXLES: Readonly<Record<number, AvlEntry>> = Object.fromEntries(
  Array.from({ length: 15 }, (_, i) => [89 + i, { field: `axle_weight_${i + 1}_kg`, spare: true }]),
);

/**
 * The AVL ids of the professional FMx6xx trackers (FM6300, FMB630, FMB640, FMC640, FMM640, FMC650, FMM650).
 * They follow the maker's lists (wiki.teltonika-gps.com, "FMB630 AVL ID" and "Template:FMX640 AVL ID"),
 * compared with three public decoders of FMC650 data. From 14 to 48 they are of the LVCAN adapter, which has
 * tenths of litres, degrees and litres per hour. From 80 to 139 they are of the vehicle's FMS gateway (SAE
 * J1939), in whole units; that is the machine itself and so goes first. 191 to 198 are of the tachograph.
 * `odometer_km` is the tracker's (216), as it is for the other families.
 *
 * Left under their numbers: 5 to 8, which older firmware has in another order; 112 and 138, whose unit differs
 * between firmwares.
 */
const ENTRIES: Readonly<Record<number, AvlEntry>> = {
  ...COMMON_ENTRIES,
  ...AXLES,
  14: { field: "engine_hours", per: 60, otherwise: "lvcan_engine_hours" },
  15: { field: "counted_engine_hours", per: 60, ...NOT_NEGATIVE },
  16: { field: "counted_odometer_km", per: 1_000, ...NOT_NEGATIVE },
  17: { field: "counted_fuel_used_liters", per: 10, ...NOT_NEGATIVE },
  18: { field: "fuel_rate_lph", per: 10, otherwise: "lvcan_fuel_rate_lph" },
  19: { field: "def_level_percent" },
  20: { field: "def_level_liters", per: 10 },
  23: { field: "load_percent", otherwise: "lvcan_load_percent" },
  25: {
    field: "coolant_temperature_c",
    per: 10,
    signed: true,
    otherwise: "lvcan_coolant_temperature_c",
  },
  30: { field: "can_speed_kmh", ...NOT_NEGATIVE },
  31: {
    field: "accelerator_percent",
    range: { min: 0, max: 102 },
    otherwise: "lvcan_accelerator_percent",
  },
  33: { field: "fuel_used_liters", per: 10, otherwise: "lvcan_fuel_used_liters" },
  34: { field: "fuel_level_liters", per: 10, ...NOT_NEGATIVE, noValue: 65_535 },
  35: { field: "engine_speed_rpm", otherwise: "lvcan_engine_speed_rpm" },
  36: { field: "can_odometer_km", per: 1_000, ...NOT_NEGATIVE },
  37: { field: "fuel_level_percent", otherwise: "lvcan_fuel_level_percent" },
  70: { field: "tracker_temperature_c", per: 10, signed: true },
  71: { field: "gnss_status", range: { min: 0, max: 5 } },
  80: { field: "wheel_speed_kmh", ...NOT_NEGATIVE },
  84: { field: "accelerator_percent", range: { min: 0, max: 102 } },
  85: { field: "load_percent" },
  86: { field: "fuel_used_liters" },
  87: { field: "fuel_level_percent" },
  88: { field: "engine_speed_rpm" },
  104: { field: "engine_hours" },
  113: { field: "service_distance_km", signed: true },
  127: { field: "coolant_temperature_c", signed: true },
  128: { field: "ambient_temperature_c", signed: true, spare: true },
  135: { field: "fuel_rate_lph" },
  139: { field: "gross_weight_kg", spare: true },
  176: { field: "dtc_count", spare: true },
  191: { field: "tacho_speed_kmh", spare: true },
  192: { field: "tacho_odometer_km", per: 1_000, ...NOT_NEGATIVE },
  193: { field: "tacho_trip_km", per: 1_000, spare: true },
  216: { field: "odometer_km", per: 1_000 },
  236: { field: "acceleration_x_mg", signed: true },
  237: { field: "acceleration_y_mg", signed: true },
  238: { field: "acceleration_z_mg", signed: true },
};

/** Of FMx6xx trackers; beside the iButton driver cards, number plate and VIN. */
export const FMX6_IDS = new AvlTable(ENTRIES, [IBUTTON, ...PART_IDS], true);
