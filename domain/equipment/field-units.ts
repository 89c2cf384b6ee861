import { FOOT_M } from "../geometry/length-units.ts";

/** How a number in one unit becomes one in another: times the first, plus the second. */
type Conversion = readonly [times: number, plus: number];

/**
 * Units of one quantity and how a number in each becomes one in the first. By definition where there is one:
 * the international foot, mile, pound and nautical mile, the US gallon of 231 cubic inches.
 */
const QUANTITIES = {
  angle: { deg: [1, 0], rad: [180 / Math.PI, 0] },
  speed: { "km/h": [1, 0], "m/s": [3.6, 0], mph: [1.609344, 0], kn: [1.852, 0] },
  temperature: { Cel: [1, 0], K: [1, -273.15], degF: [5 / 9, -160 / 9] },
  pressure: { kPa: [1, 0], Pa: [0.001, 0], bar: [100, 0], psi: [6.894757293168361, 0] },
  length: { m: [1, 0], km: [1_000, 0], ft: [FOOT_M, 0], mi: [1_609.344, 0] },
  distance: { km: [1, 0], m: [0.001, 0], ft: [0.0003048, 0], mi: [1.609344, 0] },
  time: { h: [1, 0], min: [1 / 60, 0], s: [1 / 3_600, 0] },
  voltage: { V: [1, 0], mV: [0.001, 0] },
  share: { "%": [1, 0], ratio: [100, 0] },
  mass: { kg: [1, 0], t: [1_000, 0], g: [0.001, 0], lb: [0.45359237, 0] },
  volume: { l: [1, 0], ml: [0.001, 0], gal_us: [3.785411784, 0] },
  flow: { "l/h": [1, 0], "ml/h": [0.001, 0], "l/min": [60, 0], "gal_us/h": [3.785411784, 0] },
  rotation: { "1/min": [1, 0], "1/s": [60, 0] },
} satisfies Readonly<Record<string, Readonly<Record<string, Conversion>>>>;

type Units = Readonly<Record<string, Conversion>>;

/** Fields whose names do not say their unit at the end. */
const UNITS_BY_NAME: ReadonlyMap<string, Units> = new Map([
  ["latitude", QUANTITIES.angle],
  ["longitude", QUANTITIES.angle],
  ["heading", QUANTITIES.angle],
]);

/** Endings of field names, ours and other people's, and the units that may be converted to what they say. */
const UNITS_BY_ENDING: readonly (readonly [ending: string, units: Units])[] = [
  ["_kmh", QUANTITIES.speed],
  ["_c", QUANTITIES.temperature],
  ["_kpa", QUANTITIES.pressure],
  ["_meters", QUANTITIES.length],
  ["_km", QUANTITIES.distance],
  ["_hours", QUANTITIES.time],
  ["_voltage", QUANTITIES.voltage],
  ["_percent", QUANTITIES.share],
  ["_kg", QUANTITIES.mass],
  ["_liters", QUANTITIES.volume],
  ["_lph", QUANTITIES.flow],
  ["_rpm", QUANTITIES.rotation],
];

/**
 * The units that can be converted to that of a field's name, the name's own first; `undefined` for a name
 * that says none, such as `satellites`.
 */
export function unitsOf(field: string): Units | undefined {
  return (
    UNITS_BY_NAME.get(field) ?? UNITS_BY_ENDING.find(([ending]) => field.endsWith(ending))?.[1]
  );
}

/** How a number in `unit` becomes one in the unit of the field's name; `undefined` when it cannot. */
export function conversionTo(field: string, unit: string): Conversion | undefined {
  const units = unitsOf(field);
  return units !== undefined && Object.hasOwn(units, unit) ? units[unit] : undefined;
}
