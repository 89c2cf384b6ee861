import type { AvlEntry } from "./avl-table.ts";

/** DS18B20 and its kin; 850 is "not ready", 2000, 3000, 4000 and 5000 are other faults. */
export const WIRED_PROBE = {
  per: 10,
  signed: true,
  range: { min: -55, max: 115 },
  noValue: 850,
} as const;

/**
 * Faults are 32764 to 32767; older firmware's 2000, 3000 and 4000 cannot be distinguished from 20, 30 and
 * 40 C.
 */
export const BLUETOOTH_PROBE = { per: 100, signed: true, range: { min: -40, max: 125 } } as const;

/** 0 to 5 bars; 99 is "not known" of the modem's own scale (3GPP TS 27.007, 8.5), which some firmware passes on. */
export const GSM_BARS = { range: { min: 0, max: 5 }, noValue: 99 } as const;
/** Milli-units in two bytes without a sign, of which all ones is "not available". */
export const TWO_BYTE_MILLI = { per: 1_000, range: { min: 0, max: 65.534 } } as const;
/** Numbers that never fall below zero, whatever a gateway in between makes of their sign. */
export const NOT_NEGATIVE = { range: { min: 0, max: 4_294_967_294 } } as const;

/** What each of the four EYE sensors reports, by the first id of its row; the sensor's number is added. */
const EYE_ROWS: Readonly<Record<number, (n: number) => AvlEntry>> = {
  10800: (n) => ({ field: `eye_temperature_${n}_c`, ...BLUETOOTH_PROBE, spare: true }),
  10804: (n) => ({
    field: `eye_humidity_${n}_percent`,
    range: { min: 0, max: 100 },
    spare: true,
  }),
  10808: (n) => ({ field: `eye_magnet_${n}`, range: { min: 0, max: 1 }, spare: true }),
  10812: (n) => ({ field: `eye_movement_${n}`, range: { min: 0, max: 1 }, spare: true }),
  10816: (n) => ({
    field: `eye_pitch_${n}_degrees`,
    signed: true,
    range: { min: -90, max: 90 },
    spare: true,
  }),
  10820: (n) => ({ field: `eye_low_battery_${n}`, range: { min: 0, max: 1 }, spare: true }),
  10824: (n) => ({ field: `eye_battery_voltage_${n}`, per: 1_000, spare: true }),
  10832: (n) => ({
    field: `eye_roll_${n}_degrees`,
    signed: true,
    range: { min: -180, max: 180 },
    spare: true,
  }),
  10836: (n) => ({ field: `eye_movement_count_${n}`, spare: true }),
  10840: (n) => ({ field: `eye_magnet_count_${n}`, spare: true }),
};

/**
 * EYE sensors (BTSMP1) of all families: four of ten values each (wiki.teltonika-gps.com, "EYE SENSOR / BTSMP1"
 * and "Teltonika Data Sending Parameters ID").
 */
export const EYE_ENTRIES: Readonly<Record<number, AvlEntry>> = Object.fromEntries(
  Object.entries(EYE_ROWS).flatMap(([first, entry]) =>
    [1, 2, 3, 4].map((n) => [Number(first) + n - 1, entry(n)]),
  ),
);

/** Escort and Omnicomm fuel rods (LLS); signed, because below zero is how a rod reports a fault. */
export const FUEL_ROD_ENTRIES: Readonly<Record<number, AvlEntry>> = {
  201: { field: "lls_1_level", signed: true, range: { min: 0, max: 32_767 }, spare: true },
  202: { field: "lls_1_temperature_c", signed: true, spare: true },
  203: { field: "lls_2_level", signed: true, range: { min: 0, max: 32_767 }, spare: true },
  204: { field: "lls_2_temperature_c", signed: true, spare: true },
};
