import {
  intlSymbol,
  type Quantity,
  shownSymbol,
  toShown,
  type UnitSystem,
  writeShown,
} from "./units.ts";

/** How a number of a device is written: a quantity, a unit of `Intl` that both systems have, or a symbol of ours. */
interface FieldUnit {
  readonly quantity?: Quantity;
  readonly intl?: string;
  /** Behind the number. */
  readonly suffix?: string;
  readonly digits: number;
}

/** By the end of a field's name, the longest first; the API has these units alone (docs/mqtt.md). */
const UNITS: readonly (readonly [end: string, unit: FieldUnit])[] = [
  ["_percent", { suffix: "%", digits: 1 }],
  ["_meters", { quantity: "length", digits: 2 }],
  ["_voltage", { suffix: "V", digits: 2 }],
  ["_hours", { intl: "hour", digits: 1 }],
  ["_kmh", { quantity: "speed", digits: 1 }],
  ["_kpa", { quantity: "pressure", digits: 0 }],
  ["_km", { quantity: "distance", digits: 1 }],
  ["_kg", { quantity: "mass", digits: 0 }],
  ["_c", { quantity: "temperature", digits: 1 }],
  ["_m", { quantity: "length", digits: 2 }],
  ["_s", { intl: "second", digits: 0 }],
];
const NO_UNIT: FieldUnit = { digits: 3 };
const DEGREES: FieldUnit = { suffix: "°", digits: 1 };
/** A sixth decimal of a degree is 0.1 m. */
const PLACE: FieldUnit = { suffix: "°", digits: 6 };

const unitOf = (field: string): FieldUnit => {
  if (field === "latitude" || field === "longitude") return PLACE;
  if (field === "heading") return DEGREES;
  return UNITS.find(([end]) => field.endsWith(end))?.[1] ?? NO_UNIT;
};

/** A number of a field in the unit that is shown. */
export function fieldShown(field: string, value: number, units: UnitSystem): number {
  const { quantity } = unitOf(field);
  return quantity === undefined ? value : toShown(quantity, value, units);
}

/** A number of a field, in the unit of the API, with the unit that is shown. */
export const formatField = (
  field: string,
  value: number,
  units: UnitSystem,
  locale: string,
): string => formatShown(field, fieldShown(field, value, units), units, locale);

/** A number of a field in the unit that is shown, with it. */
export function formatShown(
  field: string,
  shown: number,
  units: UnitSystem,
  locale: string,
): string {
  const { quantity, intl, suffix, digits } = unitOf(field);
  if (quantity !== undefined) return writeShown(quantity, shown, units, digits, locale);
  const number = new Intl.NumberFormat(locale, {
    maximumFractionDigits: digits,
    ...(intl === undefined ? {} : { style: "unit", unit: intl, unitDisplay: "short" }),
  }).format(shown);
  if (suffix === undefined) return number;
  return suffix === "°" ? `${number}${suffix}` : `${number} ${suffix}`;
}

/** Symbol of the unit that is shown, for an axis; empty: the field has none. */
export function unitSymbol(field: string, units: UnitSystem, locale: string): string {
  const { quantity, intl, suffix } = unitOf(field);
  if (quantity !== undefined) return shownSymbol(quantity, units, locale);
  return suffix ?? (intl === undefined ? "" : intlSymbol(intl, locale));
}
