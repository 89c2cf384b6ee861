/** Date and time of ISO 8601 with an optional offset; a time without one is taken as UTC. */
const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?([.,]\d{1,9})?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
/** What nearly every device sends; `Date.parse` alone reads it, 0.5 us sooner. */
const CANONICAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d{3})?Z$/;
const DIGITS = /^-?\d{1,17}$/;

/**
 * Reads a payload's time: epoch milliseconds as number or digits, or ISO 8601 text. Whether the
 * time is possible is not checked here: epoch seconds come out as January 1970, never scaled.
 * Returns `undefined` when the value is not a time at all.
 */
export function parseDeviceTime(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? Math.round(value) : undefined;
  if (typeof value !== "string") return undefined;
  if (CANONICAL_TIME.test(value)) {
    const timeMs = Date.parse(value);
    return Number.isNaN(timeMs) || !isRealDay(value) ? undefined : timeMs;
  }
  if (DIGITS.test(value)) return Number(value);
  return parseIsoTime(value);
}

function parseIsoTime(text: string): number | undefined {
  const match = ISO_TIME.exec(text);
  if (match === null) return undefined;
  const [, minute = "", second = ":00", fraction = "", offset = "Z"] = match;
  // ECMAScript knows no leap seconds: 23:59:60 is the second after 23:59:59.
  const leap = second === ":60";
  const wholeMs = Date.parse(
    `${minute.toUpperCase()}${leap ? ":59" : second}${fullOffset(offset)}`,
  );
  if (Number.isNaN(wholeMs) || !isRealDay(minute)) return undefined;
  const fractionMs = Number(fraction.slice(1, 4).padEnd(3, "0"));
  return wholeMs + fractionMs + (leap ? 1_000 : 0);
}

/** Whether the month has that day: `Date.parse` takes 30 February for 2 March. */
function isRealDay(time: string): boolean {
  const day = Number(time.slice(8, 10));
  if (day <= 28) return true;
  return (
    day <= new Date(Date.UTC(Number(time.slice(0, 4)), Number(time.slice(5, 7)), 0)).getUTCDate()
  );
}

/** `+02`, `+0200` and `z` in the one form that every engine parses. */
function fullOffset(offset: string): string {
  if (offset === "Z" || offset === "z") return "Z";
  const minutes = offset.length === 3 ? "00" : offset.slice(-2);
  return `${offset.slice(0, 3)}:${minutes}`;
}
