/** The two systems of units; the API has metric ones only. */
export type UnitSystem = "metric" | "imperial";

/** How a quantity is written in a system. */
interface Unit {
  /** Unit of `Intl`, or the symbol where it has none. */
  readonly intl?: string;
  readonly symbol?: string;
  /** How many of the API's unit one of these is, and what it shows where the API's is 0. */
  readonly size: number;
  readonly zero: number;
}

const unit = (intl: string, size = 1, zero = 0): Unit => ({ intl, size, zero });

/**
 * Quantities by the unit of the API: km/h, m, km, m³, kg, t, t/m³, degrees Celsius, kPa. The foot, the yard, the mile and the pound are exact
 * (international yard and pound agreement of 1959); a psi is a pound-force (9.806 65 m/s²) on a square inch.
 */
const UNITS = {
  speed: { metric: unit("kilometer-per-hour"), imperial: unit("mile-per-hour", 1.609_344) },
  length: { metric: unit("meter"), imperial: unit("foot", 0.3048) },
  distance: { metric: unit("kilometer"), imperial: unit("mile", 1.609_344) },
  volume: {
    metric: { symbol: "m³", size: 1, zero: 0 },
    imperial: { symbol: "yd³", size: 0.9144 ** 3, zero: 0 },
  },
  mass: { metric: unit("kilogram"), imperial: unit("pound", 0.453_592_37) },
  // A short ton is 2,000 lb.
  tonnes: {
    metric: { symbol: "t", size: 1, zero: 0 },
    imperial: { symbol: "short tn", size: 0.907_184_74, zero: 0 },
  },
  density: {
    metric: { symbol: "t/m³", size: 1, zero: 0 },
    imperial: { symbol: "lb/ft³", size: 0.453_592_37 / 0.3048 ** 3 / 1_000, zero: 0 },
  },
  temperature: { metric: unit("celsius"), imperial: unit("fahrenheit", 5 / 9, 32) },
  pressure: {
    metric: { symbol: "kPa", size: 1, zero: 0 },
    imperial: { symbol: "psi", size: (0.453_592_37 * 9.806_65) / 0.0254 ** 2 / 1_000, zero: 0 },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<UnitSystem, Unit>>>>;

export type Quantity = keyof typeof UNITS;

/** More digits are the error of binary fractions: 100 ft are 30.48 m, not 30.480000000000004. */
const DIGITS = 12;

const exactly = (value: number): number => Number(value.toPrecision(DIGITS));

/** A value of the API in the unit that is shown. */
export function toShown(quantity: Quantity, value: number, system: UnitSystem): number {
  const { size, zero } = UNITS[quantity][system];
  return system === "metric" ? value : exactly(value / size + zero);
}

/** What is shown, or was typed, in the unit of the API. */
export function fromShown(quantity: Quantity, shown: number, system: UnitSystem): number {
  const { size, zero } = UNITS[quantity][system];
  return system === "metric" ? shown : exactly((shown - zero) * size);
}

/** A value in the unit that is shown, with the unit behind it. */
export function writeShown(
  quantity: Quantity,
  shown: number,
  system: UnitSystem,
  digits: number,
  locale: string,
): string {
  const { intl, symbol }: Unit = UNITS[quantity][system];
  const number = new Intl.NumberFormat(locale, {
    maximumFractionDigits: digits,
    ...(intl === undefined ? {} : { style: "unit", unit: intl, unitDisplay: "short" }),
  }).format(shown);
  return symbol === undefined ? number : `${number} ${symbol}`;
}

/** Symbol of the unit that is shown, for an axis or a field: `mph`. */
export function shownSymbol(quantity: Quantity, system: UnitSystem, locale: string): string {
  const { intl, symbol }: Unit = UNITS[quantity][system];
  return symbol ?? intlSymbol(intl ?? "", locale);
}

/** Symbol of a unit of `Intl`. */
export const intlSymbol = (intl: string, locale: string): string =>
  new Intl.NumberFormat(locale, { style: "unit", unit: intl, unitDisplay: "short" })
    .formatToParts(1)
    .filter(({ type }) => type === "unit")
    .map(({ value }) => value)
    .join("");

/**
 * A quantity that somebody typed, with a point or a comma, in the unit of the API; `undefined`: nothing was typed; NaN:
 * it is not a number from 0.
 */
export function readShown(
  quantity: Quantity,
  text: string,
  system: UnitSystem,
): number | undefined {
  const written = text.trim().replace(",", ".");
  if (written === "") return undefined;
  return /^\d+(\.\d*)?$/.test(written) ? fromShown(quantity, Number(written), system) : Number.NaN;
}

/** Decimals of a field: a thousandth of a foot is 0.3 mm. What nobody changed keeps the value of the API. */
const FIELD_DIGITS = 3;

/** A value of the API as the text of a field. */
export function fieldText(
  quantity: Quantity,
  value: number | undefined,
  system: UnitSystem,
): string {
  if (value === undefined || Number.isNaN(value)) return "";
  const shown = toShown(quantity, value, system);
  return String(system === "metric" ? shown : Number(shown.toFixed(FIELD_DIGITS)));
}
