import type { FieldSet } from "../field-set.ts";
import { looseNumber } from "../loose-number.ts";

/** Coordinates of a message, degrees. */
interface Position {
  readonly lat: number;
  readonly lon: number;
}

/**
 * Sets `lat` and `lon`, numbers or text, and returns them; `undefined` without a fix. 0, 0 is what the
 * app says before its first fix (owntracks/ios issue 100).
 * @throws DomainError `DECODE_FAILED` for one without the other, no number, or outside its range.
 */
export function readPosition(
  message: Readonly<Record<string, unknown>>,
  fields: FieldSet,
): Position | undefined {
  const lat = readDegrees(message, "lat", fields);
  const lon = readDegrees(message, "lon", fields);
  if (lat === undefined && lon === undefined) return undefined;
  if (lat === undefined || lon === undefined) {
    throw fields.failure("lat and lon go together; one is missing");
  }
  return fields.setPosition(lat, lon) ? { lat, lon } : undefined;
}

function readDegrees(
  message: Readonly<Record<string, unknown>>,
  name: "lat" | "lon",
  fields: FieldSet,
): number | undefined {
  const value = message[name];
  if (value === undefined || value === null) return undefined;
  const degrees = looseNumber(value);
  if (degrees !== undefined) return degrees;
  throw fields.failure(`${name} is not a number of degrees`);
}
