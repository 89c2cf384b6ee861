import { toShown, type UnitSystem, writeShown } from "./units.ts";

function withUnit(value: number, unit: string, digits: number, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    maximumFractionDigits: digits,
  }).format(value);
}

/** A speed of km/h, to the whole unit: devices know it no better. */
export function formatSpeed(kmh: number, units: UnitSystem, locale: string): string {
  return formatShownSpeed(toShown("speed", kmh, units), units, locale);
}

/** A speed in the unit that is shown, as a chart has it. */
export const formatShownSpeed = (shown: number, units: UnitSystem, locale: string): string =>
  writeShown("speed", shown, units, 0, locale);

/** A length of metres, as an accuracy: one decimal below ten. */
export function formatLength(metres: number, units: UnitSystem, locale: string): string {
  const shown = toShown("length", metres, units);
  return writeShown("length", shown, units, shown < 10 ? 1 : 0, locale);
}

/** A height of metres, to the hundredth: colours of heights and sections are read so closely. */
export const formatHeight = (metres: number, units: UnitSystem, locale: string): string =>
  writeShown("length", toShown("length", metres, units), units, 2, locale);

/** A cell, a sample distance or an error of metres: centimetres below a metre, inches below a foot, to a tenth. */
export function formatFineLength(metres: number, units: UnitSystem, locale: string): string {
  const shown = toShown("length", metres, units);
  if (Math.abs(shown) >= 1) return formatHeight(metres, units, locale);
  if (units === "imperial") return withUnit(shown * INCHES_PER_FOOT, "inch", 1, locale);
  return withUnit(shown * 100, "centimeter", 1, locale);
}

/** A distance of metres on the ground: whole metres or feet below a kilometre or mile, two decimals of those above. */
export function formatDistance(metres: number, units: UnitSystem, locale: string): string {
  const far = toShown("distance", metres / 1_000, units);
  if (far >= 1) return writeShown("distance", far, units, 2, locale);
  return writeShown("length", toShown("length", metres, units), units, 0, locale);
}

const INCHES_PER_FOOT = 12;
const FEET2_PER_METRE2 = 1 / 0.3048 ** 2;
const METRES2_PER_ACRE = 4_046.856_422_4;
/** Square metres from which an area is in hectares; a smaller one is a yard that people pace out in metres. */
const HECTARES_FROM_M2 = 100_000;

/** An area of square metres. `Intl` has no unit for a square metre, so the sign is ours. */
export function formatArea(m2: number, units: UnitSystem, locale: string): string {
  if (units === "imperial") {
    return m2 >= METRES2_PER_ACRE
      ? withUnit(m2 / METRES2_PER_ACRE, "acre", 2, locale)
      : `${wholeNumber(m2 * FEET2_PER_METRE2, locale)} ft²`;
  }
  if (m2 >= HECTARES_FROM_M2) return withUnit(m2 / 10_000, "hectare", 2, locale);
  return `${wholeNumber(m2, locale)} m²`;
}

const wholeNumber = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);

/** A volume of cubic metres, to a tenth below a hundred. */
export function formatVolume(m3: number, units: UnitSystem, locale: string): string {
  const shown = toShown("volume", m3, units);
  return writeShown("volume", shown, units, Math.abs(shown) < 100 ? 1 : 0, locale);
}

/**
 * A volume and half of its interval, m³, with the same decimals: a tenth where the interval is below ten, else none.
 * In "163 m³ ± 10.1 m³" or "162.8 m³ ± 10 m³" one of the two says more than is known.
 */
export function formatBounded(
  m3: number,
  intervalM3: number,
  units: UnitSystem,
  locale: string,
): { readonly volume: string; readonly interval: string } {
  const [volume, interval] = [m3, intervalM3].map((one) => toShown("volume", one, units)) as [
    number,
    number,
  ];
  const decimals = interval < 10 ? 1 : 0;
  const write = (shown: number) => writeShown("volume", shown, units, decimals, locale);
  return { volume: write(volume), interval: write(interval) };
}

/** Bytes in the largest unit that leaves a whole one, in steps of 1,000; one decimal below ten. */
export function formatBytes(bytes: number, locale: string): string {
  const steps = Math.min(BYTES.length - 1, Math.max(0, Math.floor(Math.log10(bytes || 1) / 3)));
  const shown = bytes / 1_000 ** steps;
  return withUnit(shown, BYTES[steps] ?? "byte", shown < 10 ? 1 : 0, locale);
}
const BYTES = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
/** A mass of tonnes, to a tenth. */
export const formatTonnes = (tonnes: number, units: UnitSystem, locale: string): string =>
  writeShown("tonnes", toShown("tonnes", tonnes, units), units, 1, locale);

/** Percent of 100, to the whole. */
export function formatPercent(percent: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(
    percent / 100,
  );
}

/** Percent of 100, with one decimal: what the service knows of progress and its bounds. */
export function formatTenth(percent: number, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(percent / 100);
}

/** A difference of two percents, points with one decimal; `isSigned`: with its sign, a rise too. */
export function formatPoints(points: number, isSigned: boolean, locale: string): string {
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: isSigned ? "exceptZero" : "auto",
  }).format(points);
}

/** An angle of degrees, to a tenth; it has its sign. */
export const formatAngle = (degrees: number, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "degree",
    unitDisplay: "narrow",
    maximumFractionDigits: 1,
  }).format(degrees);

/** A heading in whole degrees clockwise from true north. */
export function formatHeading(degrees: number, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "degree",
    unitDisplay: "narrow",
  }).format(Math.round(degrees) % 360);
}
