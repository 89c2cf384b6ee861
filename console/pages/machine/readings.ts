import type { components } from "../../../client/index.ts";
import type { Sample } from "../../parts/chart/series.ts";

type Rows = components["schemas"]["Telemetry"]["data"];

/** Fields that say where, not how: the map and the track draw those. */
const PLACES: readonly string[] = ["latitude", "longitude"];
/** What is looked at first, as far as a machine reports it. */
const FIRST: readonly string[] = ["speed_kmh", "fuel_level_percent", "load_percent", "engine_on"];

/** Fields that can be drawn, what is looked at first in front. */
export function drawableFields(latest: Readonly<Record<string, unknown>>): readonly string[] {
  const all = Object.keys(latest).filter((field) => !PLACES.includes(field));
  const rank = (field: string) => {
    const place = FIRST.indexOf(field);
    return place === -1 ? FIRST.length : place;
  };
  return all.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

/** As in tracks: a silence that is longer is a gap, ms. */
const GAP_MS = 300_000;

/**
 * Silence that a chart of a range shows as a gap, ms. Thinning leaves the mean distance of points or several times it
 * between two of them, which is no silence.
 */
export const gapOf = (rangeMs: number, points: number): number =>
  Math.max(GAP_MS, (3 * rangeMs) / points);

/** The time of a row; the generated type has it as text and number at once. */
export const timeOf = (row: Rows[number]): string =>
  (row as { readonly timestamp: string }).timestamp;

/** Values of a field over time, in the unit that is shown; a row without it says nothing of it. */
export function samplesOf(
  rows: Rows,
  field: string,
  shown: (value: number) => number,
): readonly Sample[] {
  return rows.flatMap((row) => {
    const value = row[field];
    return typeof value === "number" ? [{ ms: Date.parse(timeOf(row)), value: shown(value) }] : [];
  });
}

/** Least, greatest and last of the values; `undefined`: there are none. */
export function extremesOf(samples: readonly Sample[]) {
  const values = samples.flatMap(({ value }) => (value === null ? [] : [value]));
  const last = values.at(-1);
  if (last === undefined) return undefined;
  let [min, max] = [last, last];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max, last };
}
