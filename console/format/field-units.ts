/** How a number of a device is written: its `Intl` unit, or one that `Intl` does not have. */
interface FieldUnit {
  readonly intl?: string;
  /** Behind the number. */
  readonly suffix?: string;
  readonly digits: number;
}

/** By the end of a field's name, the longest first; the API has these units alone (docs/mqtt.md). */
const UNITS: readonly (readonly [end: string, unit: FieldUnit])[] = [
  ["_percent", { suffix: "%", digits: 1 }],
  ["_meters", { intl: "meter", digits: 2 }],
  ["_voltage", { suffix: "V", digits: 2 }],
  ["_hours", { intl: "hour", digits: 1 }],
  ["_kmh", { intl: "kilometer-per-hour", digits: 1 }],
  ["_kpa", { suffix: "kPa", digits: 0 }],
  ["_km", { intl: "kilometer", digits: 1 }],
  ["_kg", { intl: "kilogram", digits: 0 }],
  ["_c", { intl: "celsius", digits: 1 }],
  ["_m", { intl: "meter", digits: 2 }],
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

/** A number of a field with the unit that the name of the field says. */
export function formatField(field: string, value: number, locale: string): string {
  const { intl, suffix, digits } = unitOf(field);
  const number = new Intl.NumberFormat(locale, {
    maximumFractionDigits: digits,
    ...(intl === undefined ? {} : { style: "unit", unit: intl, unitDisplay: "short" }),
  }).format(value);
  if (suffix === undefined) return number;
  return suffix === "°" ? `${number}${suffix}` : `${number} ${suffix}`;
}

/** Symbol of the unit, for an axis; empty: the field has none. */
export function unitSymbol(field: string, locale: string): string {
  const { intl, suffix } = unitOf(field);
  if (suffix !== undefined) return suffix;
  if (intl === undefined) return "";
  return new Intl.NumberFormat(locale, { style: "unit", unit: intl, unitDisplay: "short" })
    .formatToParts(1)
    .filter(({ type }) => type === "unit")
    .map(({ value }) => value)
    .join("");
}
