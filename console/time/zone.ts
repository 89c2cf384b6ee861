/** A day and a bit: no zone is further from UTC than 14 h, and a change of an offset is found from either side of it. */
const AROUND_MS = 86_400_000;
const DAY_MS = 86_400_000;

/** Making a format takes some 300 times as long as using it, and an axis asks for dozens of times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: zone, hourCycle: "h23", era: "short" },
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  formats.set(zone, made);
  return made;
}

/** Whether this browser knows a zone by this name: its list may be older than the service's. */
export function isKnownZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** What a clock in a zone shows at a moment, as ms of the same date and time in UTC. */
export function wallMs(ms: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(ms)
      .map((part) => [part.type, part.value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const whole = Date.UTC(
    ...([part("year"), part("month") - 1, part("day")] as const),
    ...([part("hour"), part("minute"), part("second")] as const),
  );
  return whole + (((ms % 1_000) + 1_000) % 1_000);
}

/**
 * The moments at which a clock in a zone shows a time, ascending: one; none in the hour that clocks are put forward by;
 * two in the hour that they are put back by.
 *
 * @param wall As `wallMs` has it.
 */
export function momentsOf(wall: number, zone: string): readonly number[] {
  const near = [wall - AROUND_MS, wall + AROUND_MS].map((ms) => wallMs(ms, zone) - ms);
  return [...new Set(near.map((offsetMs) => wall - offsetMs))]
    .filter((ms) => wallMs(ms, zone) === wall)
    .sort((a, b) => a - b);
}

/** A moment as a field of a form takes it, to the minute: `2026-03-05T14:03`. */
export const wallText = (ms: number, zone: string): string =>
  new Date(wallMs(ms, zone)).toISOString().slice(0, 16);

/** A time that somebody typed into a field of a form. */
interface TypedTime {
  /** ms since the Unix epoch; NaN: it is incomplete, or no clock of the zone shows it. */
  readonly ms: number;
  /** It is none: clocks are put forward over it. */
  readonly isSkipped: boolean;
  /** It comes twice, as clocks are put back; `ms` is the first. */
  readonly isDouble: boolean;
}

/** Reads what a field of a form gives, `2026-03-05T14:03`, as a time of a zone. */
export function readTime(text: string, zone: string): TypedTime {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text);
  const wall = isWhole ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(wall)) return { ms: Number.NaN, isSkipped: false, isDouble: false };
  const [first = Number.NaN, second] = momentsOf(wall, zone);
  return { ms: first, isSkipped: Number.isNaN(first), isDouble: second !== undefined };
}

/** The calendar date of a moment in a zone: `2026-03-05`. */
export const dayIn = (ms: number, zone: string): string =>
  new Date(wallMs(ms, zone)).toISOString().slice(0, 10);

/** The begin of the calendar date that is some days after that of a moment; the first hour may not be 0. */
export function dayBegin(ms: number, days: number, zone: string): number {
  const wall = Math.floor(wallMs(ms, zone) / DAY_MS + days) * DAY_MS;
  const [first] = momentsOf(wall, zone);
  if (first !== undefined) return first;
  // Clocks are put forward at midnight: the day begins when they are.
  const before = wallMs(wall - AROUND_MS, zone) - (wall - AROUND_MS);
  return wall - before;
}

/** A moment in the name of a file, which has no colons: `2026-03-05T14-03-10+0100`. */
export function fileTime(ms: number, zone: string): string {
  const wall = wallMs(ms, zone);
  const minutes = Math.round((wall - ms) / 60_000);
  const two = (value: number) => String(value).padStart(2, "0");
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${two(size % 60)}`;
  return `${new Date(wall).toISOString().slice(0, 19).replaceAll(":", "-")}${offset}`;
}

/** Name of the zone of this browser. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
