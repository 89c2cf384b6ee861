import { FOOT_M } from "../../domain/geometry/length-units.ts";
import { looseNumber } from "../decoders/payload/loose-number.ts";
import type { DocumentNode } from "./document.ts";

/** Litres of a US gallon. */
const LITRES_PER_GALLON = 3.785411784;
const KM_PER_MILE = 1.609344;
const KG_PER_POUND = 0.45359237;

/** Factors to the unit of the field, by the spellings that servers use. */
type Units = Readonly<Record<string, number>>;

export const LITRES: Units = {
  litre: 1,
  liter: 1,
  l: 1,
  gallon: LITRES_PER_GALLON,
  gal: LITRES_PER_GALLON,
};
export const KILOMETRES: Units = {
  kilometre: 1,
  kilometer: 1,
  km: 1,
  mile: KM_PER_MILE,
  mi: KM_PER_MILE,
};
export const METRES: Units = {
  metre: 1,
  meter: 1,
  m: 1,
  foot: FOOT_M,
  feet: FOOT_M,
  ft: FOOT_M,
};
export const KILOGRAMS: Units = {
  kilogram: 1,
  kg: 1,
  tonne: 1_000,
  "metric ton": 1_000,
  pound: KG_PER_POUND,
  lb: KG_PER_POUND,
};
export const KMH: Units = {
  "km/h": 1,
  kmh: 1,
  kph: 1,
  kilometreperhour: 1,
  kilometerperhour: 1,
  mph: KM_PER_MILE,
  mileperhour: KM_PER_MILE,
};

/** A duration of XML, as AEMP 1.2 has hours; days, hours, minutes, seconds. */
const DURATION =
  /^P(?:(\d{1,7})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/;

/** The text of the first part of one of these names; `undefined`: there is none, or it is empty. */
export function textOf(node: DocumentNode, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = node.list(name)[0]?.text;
    if (text !== undefined && text !== "") return text;
  }
  return undefined;
}

/** The number of the first part of one of these names. */
export function numberOf(node: DocumentNode, ...names: readonly string[]): number | undefined {
  return looseNumber(textOf(node, ...names));
}

/**
 * An amount in the unit of the factor 1; `names` may hold it, `unitNames` its unit. Without a unit it is
 * taken as metric, as the standard has it; with an unknown one it is not an amount.
 */
export function amountOf(
  node: DocumentNode,
  names: readonly string[],
  unitNames: readonly string[],
  units: Units,
): number | undefined {
  const amount = numberOf(node, ...names);
  const unit = textOf(node, ...unitNames)?.toLowerCase();
  const factor = unit === undefined ? 1 : (factorOf(unit, units) ?? undefined);
  return amount === undefined || factor === undefined ? undefined : amount * factor;
}

/** `miles` as `mile`; an own property, so that `constructor` is not a unit. */
function factorOf(unit: string, units: Units): number | undefined {
  const known = [unit, unit.replace(/s$/, "")].find((name) => Object.hasOwn(units, name));
  return known === undefined ? undefined : units[known];
}

/** Hours of a section: a decimal, a duration such as `PT13H28M30S`, or minutes. */
export function hoursOf(node: DocumentNode): number | undefined {
  const minutes = numberOf(node, "minutes", "minute");
  if (minutes !== undefined) return minutes / 60;
  const text = textOf(node, "hour", "hours") ?? node.text;
  const match = DURATION.exec(text);
  if (match === null || text.length < 3) return looseNumber(text);
  const [d = 0, h = 0, m = 0, s = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return d * 24 + h + m / 60 + s / 3_600;
}
