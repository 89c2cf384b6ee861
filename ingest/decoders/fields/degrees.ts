import { looseNumber } from "../payload/loose-number.ts";
import type { FieldSet } from "./field-set.ts";
import { isUnavailableText } from "./unavailable.ts";

/** Longest text of a coordinate that is read, characters. `dtostrf` pads to a width of the caller's choice. */
const MAX_TEXT = 64;

/** Degrees as a device writes them: a number, or its text, with blanks around it as C pads numbers. */
export function looseDegrees(value: unknown): number | undefined {
  if (typeof value !== "string") return looseNumber(value);
  return value.length > MAX_TEXT ? undefined : looseNumber(value.trim());
}

/**
 * The degrees of a latitude or longitude; `undefined`: absent, null, or text that says "not available".
 * @throws DomainError `DECODE_FAILED`, through `set`, for anything else, calling it `name`.
 */
export function degreesOf(value: unknown, name: string, set: FieldSet): number | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (value === undefined || value === null) return undefined;
  const degrees = looseDegrees(value);
  if (degrees !== undefined) return degrees;
  if (typeof value === "string" && isUnavailableText(value)) return undefined;
  throw set.failure(`${name} is not a number of degrees`);
}
