import type { Figure } from "./report-schema.ts";

/** How units are written for people; others as they are. */
const UNITS: Readonly<Record<string, string>> = { deg: "\u00b0", m2: " m\u00b2", "": "" };

/** A figure for people: "0.39 px", "not known". */
export function figureText({ value, unit }: Figure): string {
  if (value === null) return "not known";
  return `${value}${UNITS[unit] ?? ` ${unit}`}`;
}
