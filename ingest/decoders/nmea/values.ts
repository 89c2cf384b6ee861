import { DomainError } from "../../../domain/errors.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { looseNumber } from "../payload/loose-number.ts";
import type { Sentence } from "./sentence.ts";

const TIME = /^([01]\d|2[0-3])[0-5]\d(?:[0-5]\d|60)(?:\.\d{0,9})?$/;
const DATE = /^\d{6}$/;
/** Degrees, then two digits of whole minutes; some receivers leave out leading zeros, others write more. */
const COORDINATE = /^0{0,3}\d{2,5}(?:\.\d{0,12})?$/;
/** Fewest digits in front of the point of a latitude: `538.90` is 5 degrees and 38.90 minutes. */
const LEAST_LATITUDE_DIGITS = 3;

/**
 * The UTC time of day in field `index`, ms since midnight; `undefined`: not available.
 * @throws DomainError `DECODE_FAILED` for anything but `hhmmss.ss`.
 */
export function timeOfDay(sentence: Sentence, index: number): number | undefined {
  const text = sentence.fields[index] ?? "";
  if (text === "") return undefined;
  if (!TIME.test(text)) throw failure(sentence, "the time is not hhmmss.ss");
  const wholeS = twoDigits(text, 0) * 3_600 + twoDigits(text, 2) * 60 + twoDigits(text, 4);
  if (text.length < 8) return wholeS * 1_000;
  return wholeS * 1_000 + Number(text.slice(7, 10).padEnd(3, "0"));
}

/**
 * Midnight UTC of the `ddmmyy` in field `index`, in the century that puts it within 50 years of `nearMs`;
 * `undefined`: not available. Both ms since the Unix epoch.
 * @throws DomainError `DECODE_FAILED` for a day that does not exist.
 */
export function date(sentence: Sentence, index: number, nearMs: number): number | undefined {
  const text = sentence.fields[index] ?? "";
  // Zeros: what receivers without a fix write in place of nothing.
  if (text === "" || text === "000000") return undefined;
  if (!DATE.test(text)) throw failure(sentence, "the date is not ddmmyy");
  const [day, month, shortYear] = [twoDigits(text, 0), twoDigits(text, 2), twoDigits(text, 4)];
  const nearYear = new Date(nearMs).getUTCFullYear();
  const past = nearYear - ((((nearYear - shortYear) % 100) + 100) % 100);
  const midnightMs = Date.UTC(nearYear - past > 50 ? past + 100 : past, month - 1, day);
  // A day or month that does not exist becomes another one.
  const isReal = day > 0 && month > 0 && month <= 12 && new Date(midnightMs).getUTCDate() === day;
  if (!isReal) throw failure(sentence, `no such date: ${text}`);
  return midnightMs;
}

/** The two digits of `text` that begin at `at`, which the caller has seen to be digits. */
const twoDigits = (text: string, at: number): number =>
  text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;

/** The moment with that time of day that is nearest to `nearMs`; all ms. */
export function nearestMoment(timeOfDayMs: number, nearMs: number): number {
  const sameDayMs = Math.floor(nearMs / DAY_MS) * DAY_MS + timeOfDayMs;
  if (sameDayMs - nearMs > DAY_MS / 2) return sameDayMs - DAY_MS;
  if (nearMs - sameDayMs > DAY_MS / 2) return sameDayMs + DAY_MS;
  return sameDayMs;
}

/**
 * Latitude and longitude, degrees, from four fields beginning with `index`; `undefined`: not available. A
 * latitude with fewer than three digits before its point is decimal degrees by mistake (`52.5163`), or
 * lies within one degree of the equator with its zeros left out. It is refused: as minutes the first would
 * be a position 5,700 km away. The latitude proves the form of both: only a longitude may be that short.
 * @throws DomainError `DECODE_FAILED` for anything but `ddmm.mmmm` with its hemisphere, or half a
 * position.
 */
export function position(
  sentence: Sentence,
  index: number,
): { readonly latitude: number; readonly longitude: number } | undefined {
  const latitude = coordinate(sentence, index, "N", "S");
  const longitude = coordinate(sentence, index + 2, "E", "W");
  if (latitude === undefined && longitude === undefined) return undefined;
  if (latitude === undefined || longitude === undefined) {
    throw failure(sentence, "latitude and longitude go together; one is missing");
  }
  return { latitude, longitude };
}

function coordinate(
  sentence: Sentence,
  index: number,
  positive: string,
  negative: string,
): number | undefined {
  const text = sentence.fields[index] ?? "";
  if (text === "") return undefined;
  const point = text.indexOf(".");
  const digits = point < 0 ? text.length : point;
  if (positive === "N" && digits < LEAST_LATITUDE_DIGITS) {
    throw failure(sentence, `decimal degrees in place of ddmm.mmmm: ${text.slice(0, 20)}`);
  }
  const split = digits - 2;
  const minutes = COORDINATE.test(text) ? Number(text.slice(split)) : Number.NaN;
  if (!(minutes < 60)) throw failure(sentence, `no degrees and minutes: ${text.slice(0, 20)}`);
  const hemisphere = sentence.fields[index + 1];
  if (hemisphere !== positive && hemisphere !== negative) {
    throw failure(sentence, `the hemisphere is neither ${positive} nor ${negative}`);
  }
  const degrees = Math.round((Number(text.slice(0, split)) + minutes / 60) * 1e9) / 1e9;
  return hemisphere === positive || degrees === 0 ? degrees : -degrees;
}

/** The number in field `index`; `undefined`: not available, or noted as suspect under `name`. */
export function number(sentence: Sentence, index: number, name: string): number | undefined {
  const text = sentence.fields[index] ?? "";
  if (text === "") return undefined;
  const value = looseNumber(text);
  if (value === undefined) noteSuspect(sentence, index, name);
  return value;
}

/** Notes that field `index` is not what the standard says; the position does not fall with it. */
export function noteSuspect(sentence: Sentence, index: number, name: string): void {
  sentence.suspects ??= [];
  sentence.suspects.push({ name, text: sentence.fields[index] ?? "" });
}

/** An error that says in which sentence it is. */
export function failure({ number, formatter }: Sentence, problem: string): DomainError {
  return new DomainError("DECODE_FAILED", `sentence ${number} (${formatter}): ${problem}`);
}
