import { type LatLng, rounded } from "./draft.ts";

/** Degrees as a person writes them, with a point or a comma; `undefined`: not within -most to most. */
export function parseDegrees(text: string, most: 90 | 180): number | undefined {
  const written = text.trim().replace(",", ".").replace("−", "-");
  if (!/^[+-]?\d+(\.\d*)?$/.test(written)) return undefined;
  const degrees = Number(written);
  return Math.abs(degrees) <= most ? rounded(degrees) : undefined;
}

/** A pair as maps and spreadsheets copy it: `52.5, 13.4`, `52.5 13.4`, with a tab or a semicolon. */
export function parsePair(text: string): LatLng | undefined {
  const [first, second, third] = text.trim().split(/\s*[;\t]\s*|,\s+|\s+|(?<=\.\d+),/);
  if (first === undefined || second === undefined || third !== undefined) return undefined;
  const latitude = parseDegrees(first, 90);
  const longitude = parseDegrees(second, 180);
  return latitude === undefined || longitude === undefined ? undefined : [latitude, longitude];
}
