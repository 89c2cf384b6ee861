import type { FIELD_RANGES } from "../../../domain/equipment/reading.ts";

/**
 * Numbers by which protocols say "not available", where they are outside the range of their field. They
 * are all ones of 8, 16 and 32 bits with and without sign, the largest dilutions and angles that are
 * written, and -1. Also all ones in the resolutions of SAE J1939-71 (5.1.4) and of millivolts, metres
 * and seconds.
 */
const SENTINELS: ReadonlySet<number> = new Set([
  ...[-1, -128, 127, 128, 255, 511, 999, 999.9, 999.99, 9_999, 99_999, 65_534, 65_535],
  ...[32_767, -32_768, 2_147_483_647, -2_147_483_648, 4_294_967_294, 4_294_967_295],
  ...[65.535, 655.35, 6_553.5, 102, 127.5, 3_276.75, 8_191.875, 16_383.75],
  ...[210_554_060.75, 214_748_364.75, 536_870_911.875, 2_147_483_647.5],
]);

/**
 * The same where they lie inside the range of their field. No machine has these values: all ones in the
 * resolution that a protocol has for the field. A number that a machine may have (255 km/h) is not listed.
 */
const SENTINELS_IN_RANGE: Readonly<Partial<Record<keyof typeof FIELD_RANGES, readonly number[]>>> =
  {
    accuracy_meters: [65_535],
    battery_voltage: [65.535, 655.35],
    coolant_temperature_c: [215],
    engine_speed_rpm: [8_191.875, 16_383.75],
    fuel_rate_lph: [3_276.75, 6_553.5],
    fuel_used_liters: [4_294_967.295, 429_496_729.5],
    hdop: [99, 99.9, 99.99],
    odometer_km: [4_294_967.295],
    pdop: [99, 99.9, 99.99],
    satellites: [255],
    speed_kmh: [655.35],
  };

/** What devices write in place of a number that they do not have. */
const WORDS: ReadonlySet<string> = new Set([
  ...["", "-", "--", "---", "?", "n/a", "na", "nan", "nil", "none", "null", "undefined"],
  ...["not available", "unavailable", "unknown"],
]);
/** Longest of them. */
const MAX_WORD = 13;

/** Numbers inside the range of a field that say "not available"; `undefined` for most fields. */
export const unavailableInRange = (field: string): readonly number[] | undefined =>
  SENTINELS_IN_RANGE[field];

/** Whether a number outside the range of its field, or what it was on the wire, says "not available". */
export const isUnavailableNumber = (value: number, raw: unknown): boolean =>
  SENTINELS.has(value) || (typeof raw === "number" && SENTINELS.has(raw));

/** Whether a text says "not available". */
export const isUnavailableText = (text: string): boolean =>
  text.length <= MAX_WORD && WORDS.has(text.trim().toLowerCase());
