import { FOOT_M } from "../../../domain/geometry/length-units.ts";
/** What a unit of a metric is in the units of `field-meanings.ts`: times the first, plus the second. */
export interface EngUnit {
  readonly unit: string;
  readonly times: number;
  readonly plus: number;
}

/** Unit of `field-meanings.ts`, how many of it one is, and what is added. */
type Row = readonly [unit: string, names: readonly string[], times?: number, plus?: number];

/**
 * Units as people type them into `engUnit`, in lower case and without blanks. Definitions: international
 * mile and foot (1959), knot of 1,852 m/h, pound-force per square inch of 6.894757 kPa. Left out are those
 * of several sizes: gallon, ton, ounce.
 */
const ROWS: readonly Row[] = [
  ["deg", ["deg", "degs", "degree", "degrees", "°", "deg°"]],
  ["rad", ["rad", "radian", "radians"]],
  ["m", ["m", "meter", "meters", "metre", "metres"]],
  ["m", ["ft", "foot", "feet"], FOOT_M],
  ["km", ["km", "kilometer", "kilometers", "kilometre", "kilometres"]],
  ["km", ["mi", "mile", "miles"], 1.609344],
  ["km/h", ["km/h", "kmh", "kph", "kmph", "km/hr"]],
  ["km/h", ["mph", "mi/h"], 1.609344],
  ["km/h", ["kn", "kt", "kts", "knot", "knots"], 1.852],
  ["m/s", ["m/s", "mps"]],
  ["Cel", ["°c", "c", "degc", "deg.c", "celsius", "cel", "℃"]],
  ["Cel", ["°f", "f", "degf", "deg.f", "fahrenheit", "℉"], 5 / 9, -160 / 9],
  ["K", ["k", "kelvin"]],
  ["Pa", ["pa"]],
  ["hPa", ["hpa", "mbar"]],
  ["kPa", ["kpa"]],
  ["kPa", ["mpa"], 1_000],
  ["kPa", ["bar", "barg"], 100],
  ["kPa", ["psi", "psig"], 6.894757],
  ["V", ["v", "volt", "volts", "vdc"]],
  ["mV", ["mv"]],
  ["%", ["%", "percent", "pct"]],
  ["s", ["s", "sec", "secs", "second", "seconds"]],
  ["min", ["min", "mins", "minute", "minutes"]],
  ["h", ["h", "hr", "hrs", "hour", "hours"]],
  ["l", ["l", "liter", "liters", "litre", "litres", "ltr"]],
  ["m3", ["m3", "m³"]],
  ["l/h", ["l/h", "lph", "l/hr"]],
  ["rpm", ["rpm", "1/min", "r/min", "rev/min", "min-1"]],
  ["Hz", ["hz"]],
  ["kg", ["kg", "kgs", "kilogram", "kilograms"]],
  ["kg", ["lb", "lbs", "pound", "pounds"], 0.45359237],
  ["t", ["t", "tonne", "tonnes", "metricton", "metrictons"]],
];

const unitByName = new Map<string, EngUnit>(
  ROWS.flatMap(([unit, names, times = 1, plus = 0]) =>
    names.map((name) => [name, { unit, times, plus }] as const),
  ),
);

/** `undefined`: a unit that is not known. */
export function engUnitOf(text: string): EngUnit | undefined {
  return unitByName.get(text.replace(/\s+/g, "").toLowerCase());
}
