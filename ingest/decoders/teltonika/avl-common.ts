import {
  EYE_ENTRIES,
  FUEL_ROD_ENTRIES,
  GSM_BARS,
  NOT_NEGATIVE,
  TWO_BYTE_MILLI,
  WIRED_PROBE,
} from "./avl-sensors.ts";
import type { AvlEntry } from "./avl-table.ts";

/** AVL ids that mean the same to every family: of the tracker, its receiver and modem, and of sensors beside it. */
export const COMMON_ENTRIES: Readonly<Record<number, AvlEntry>> = {
  ...FUEL_ROD_ENTRIES,
  ...EYE_ENTRIES,
  21: { field: "gsm_signal", ...GSM_BARS },
  24: { field: "speed_kmh", otherwise: "gnss_speed_kmh", gnss: true },
  66: { field: "battery_voltage", per: 1_000 },
  67: { field: "tracker_battery_voltage", ...TWO_BYTE_MILLI },
  68: { field: "tracker_battery_current_a", ...TWO_BYTE_MILLI },
  72: { field: "temperature_1_c", ...WIRED_PROBE },
  73: { field: "temperature_2_c", ...WIRED_PROBE },
  74: { field: "temperature_3_c", ...WIRED_PROBE },
  75: { field: "temperature_4_c", ...WIRED_PROBE },
  181: { field: "pdop", per: 10, gnss: true },
  182: { field: "hdop", per: 10, gnss: true },
  199: { field: "trip_odometer_km", per: 1_000, ...NOT_NEGATIVE },
  200: { field: "sleep_mode", range: { min: 0, max: 5 } },
  205: { field: "gsm_cell_id", ...NOT_NEGATIVE, noValue: 65_535 },
  206: { field: "gsm_area_code", ...NOT_NEGATIVE, noValue: 65_535 },
  239: { field: "engine_on" },
  240: { field: "movement", range: { min: 0, max: 1 } },
  241: { field: "gsm_operator", ...NOT_NEGATIVE },
};
