import { degreesOf } from "../fields/degrees.ts";
import type { FieldSet } from "../fields/field-set.ts";
import { MissingHalfSearch } from "../fields/half-position.ts";

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
  const lat = degreesOf(message["lat"], "lat", fields);
  const lon = degreesOf(message["lon"], "lon", fields);
  if (lat === undefined && lon === undefined) return undefined;
  if (lat === undefined || lon === undefined) {
    const others = Object.keys(message).filter((name) => name !== "lat" && name !== "lon");
    const missing = lat === undefined ? "latitude" : "longitude";
    throw fields.failure(
      new MissingHalfSearch().problem(missing, others, { latitude: "lat", longitude: "lon" }),
    );
  }
  return fields.setPosition(lat, lon) ? { lat, lon } : undefined;
}
