import type { FIELD_RANGES } from "../../../domain/equipment/reading.ts";

/** One suspect parameter: where it lies in its group, and what its bits are worth. */
export interface Parameter {
  readonly spn: number;
  readonly field: keyof typeof FIELD_RANGES & string;
  /** First byte in the data, from 0, the least significant. */
  readonly at: number;
  readonly bytes: 1 | 2 | 4;
  /** Value = (raw * times) / per + offset, in the unit of the field; whole numbers keep decimals exact. */
  readonly times: number;
  readonly per: number;
  readonly offset: number;
  /** 0, or higher where another parameter says the same better. */
  readonly rank: number;
}

type Row = readonly [
  pgn: number,
  spn: number,
  field: Parameter["field"],
  firstByte: number,
  bytes: Parameter["bytes"],
  times: number,
  per: number,
  offset?: number,
  rank?: number,
];

/**
 * The parameters that Plumbline has a field for, by SAE J1939-71: group, SPN, field, first byte (from
 * 1, as the standard prints it), length, resolution as a fraction, offset, rank.
 */
const ROWS: readonly Row[] = [
  [61_443, 92, "load_percent", 3, 1, 1, 1], // EEC2, 1 %
  [61_444, 190, "engine_speed_rpm", 4, 2, 1, 8], // EEC1, 0.125 rpm
  [65_110, 1761, "def_level_percent", 1, 1, 2, 5], // AT1T1I, 0.4 %
  [65_217, 917, "odometer_km", 1, 4, 1, 200], // VDHR, 5 m
  [65_244, 235, "idle_hours", 5, 4, 1, 20], // IO, 0.05 h
  [65_248, 245, "odometer_km", 5, 4, 1, 8, 0, 1], // VD, 0.125 km
  [65_253, 247, "engine_hours", 1, 4, 1, 20], // HOURS, 0.05 h
  [65_257, 250, "fuel_used_liters", 5, 4, 1, 2], // LFC, 0.5 L
  [65_262, 110, "coolant_temperature_c", 1, 1, 1, 1, -40], // ET1, 1 deg C
  [65_263, 100, "oil_pressure_kpa", 4, 1, 4, 1], // EFL/P1, 4 kPa
  [65_265, 84, "speed_kmh", 2, 2, 1, 256], // CCVS, 1/256 km/h
  [65_266, 183, "fuel_rate_lph", 1, 2, 1, 20], // LFE, 0.05 L/h
  [65_267, 584, "latitude", 1, 4, 1, 1e7, -210], // VP, 1e-7 deg
  [65_267, 585, "longitude", 5, 4, 1, 1e7, -210],
  [65_271, 168, "battery_voltage", 5, 2, 1, 20], // VEP1, 0.05 V
  [65_271, 158, "battery_voltage", 7, 2, 1, 20, 0, 1], // behind the key switch: 0 V with the key off
  [65_276, 96, "fuel_level_percent", 2, 1, 2, 5], // DD, 0.4 %
];

/** The parameters of a group by its PGN; absent for groups that are not read. */
export const PARAMETERS_BY_PGN: ReadonlyMap<number, readonly Parameter[]> = byPgn();

function byPgn(): ReadonlyMap<number, readonly Parameter[]> {
  const groups = new Map<number, Parameter[]>();
  for (const [pgn, spn, field, firstByte, bytes, times, per, offset = 0, rank = 0] of ROWS) {
    const group = groups.get(pgn) ?? [];
    group.push({ spn, field, at: firstByte - 1, bytes, times, per, offset, rank });
    groups.set(pgn, group);
  }
  return groups;
}

/**
 * The value of a parameter; `undefined` where the data end before it. Also where the controller says
 * that it is not available, in error, or reserved: a highest byte of 0xFB or more (SAE J1939-71, 5.1.4).
 */
export function readParameter(data: Uint8Array, parameter: Parameter): number | undefined {
  const { at, bytes } = parameter;
  const highest = data[at + bytes - 1];
  if (highest === undefined || highest >= 0xfb) return undefined;
  let raw = highest;
  for (let i = at + bytes - 2; i >= at; i -= 1) raw = raw * 256 + (data[i] ?? 0);
  // One division of whole numbers, so that 0.05 V a bit gives 27.65 and not 27.650000000000002.
  return (raw * parameter.times + parameter.offset * parameter.per) / parameter.per;
}
