import { invalidParameter } from "../validation/validation.ts";

/** The years that ISO 8601 writes with four digits and that every store of ours takes. */
const OLDEST_MS = 0;
const NEWEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The instant of a text that has passed `format: date-time`, ms since the Unix epoch.
 * @throws ParameterError for one that is not an instant (a leap second, which we have no number for), or lies
 *   before 1970 or, by way of its offset, after 9999.
 */
export function readInstant(parameter: string, text: string): number {
  const ms = Date.parse(text);
  if (ms >= OLDEST_MS && ms <= NEWEST_MS) return ms;
  throw invalidParameter(parameter, "must be a date-time of the years 1970 to 9999");
}
