import { minutesOfDay, SCHEDULE_DAYS } from "../draft/wall-minutes.ts";
import type { Shift } from "../draft/work-spans.ts";

/** Days from the epoch of Excel's serial numbers (1899-12-30) to 1970-01-01. */
const EXCEL_EPOCH_DAYS = 25_569;
/** Deepest nesting: P6 writes 6 levels. */
const MOST_DEPTH = 16;

/** What P6 keeps of one calendar. */
export interface CalendarText {
  /** Seven lists from Monday on; `undefined`: the text has none. */
  readonly week: readonly (readonly Shift[])[] | undefined;
  /** By day since 1970-01-01. */
  readonly exceptions: ReadonlyMap<number, readonly Shift[]>;
}

/** One record `(0||name(attributes)(children))` of the text. */
interface Entry {
  readonly name: string;
  /** Between `(` and `)`: `s|08:00|f|12:00` of a shift, `d|38719` of an exception. */
  attributes: string;
  readonly children: Entry[];
}

/** The text cannot be read; the message follows the name of the field. */
export class CalendarTextError extends Error {}

/**
 * Reads the field clndr_data of a XER, as in `(0||CalendarData()((0||DaysOfWeek()((0||1()())
 * (0||2()((0||0(s|08:00|f|16:00)())) ...)) (0||Exceptions()((0||0(d|38719)()) ...))))`: days of the week
 * count from Sunday = 1, dates of exceptions are Excel's serial numbers, and days without shifts are free.
 * What P6 breaks lines with (0x7F) has become spaces or is still there; both are ignored.
 * @throws CalendarTextError
 */
export function readCalendarText(text: string): CalendarText {
  const root = parse(text);
  const days = find(root, "daysofweek");
  const exceptions = new Map<number, readonly Shift[]>();
  for (const entry of find(root, "exceptions")?.children ?? []) {
    const serial = attributeOf(entry, "d");
    const day = Number(serial) - EXCEL_EPOCH_DAYS;
    if (serial === "" || !Number.isInteger(day)) {
      throw new CalendarTextError(`has an exception without a date (${entry.attributes})`);
    }
    // P6 keeps exceptions of decades; those beyond all dates of activities never count.
    if (day >= 0 && day < SCHEDULE_DAYS) exceptions.set(day, shiftsOf(entry));
  }
  return { week: days && weekOf(days), exceptions };
}

function weekOf(days: Entry): Shift[][] {
  const week: Shift[][] = [[], [], [], [], [], [], []];
  for (const entry of days.children) {
    const sundayFirst = Number(entry.name);
    if (!(Number.isInteger(sundayFirst) && sundayFirst >= 1 && sundayFirst <= 7)) {
      throw new CalendarTextError(`has a day of the week ${entry.name}, outside 1 to 7`);
    }
    week[(sundayFirst + 5) % 7] = shiftsOf(entry);
  }
  return week;
}

function shiftsOf(day: Entry): Shift[] {
  return day.children.map((entry) => {
    const from = minutesOfDay(attributeOf(entry, "s"));
    const to = minutesOfDay(attributeOf(entry, "f"));
    if (from === undefined || to === undefined) {
      throw new CalendarTextError(`has a shift without times (${entry.attributes})`);
    }
    return [from, to];
  });
}

/** Of `s|08:00|f|12:00`, "08:00" for "s". */
function attributeOf({ attributes }: Entry, key: string): string {
  const parts = attributes.split("|", 20).map((part) => part.trim());
  const at = parts.findIndex((part, i) => i % 2 === 0 && part.toLowerCase() === key);
  return at < 0 ? "" : (parts[at + 1] ?? "");
}

function find(entry: Entry, name: string): Entry | undefined {
  if (entry.name.toLowerCase() === name) return entry;
  for (const child of entry.children) {
    const found = find(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The record that a text begins with; what comes after it is of no interest. */
function parse(text: string): Entry {
  const root: Entry = { name: "", attributes: "", children: [] };
  const open: Entry[] = [root];
  let i = 0;
  const fail: () => never = () => {
    throw new CalendarTextError(`is damaged at character ${i + 1}`);
  };
  const passSpace = () => {
    while (i < text.length && text.charCodeAt(i) !== 0x28 && text.charCodeAt(i) !== 0x29) {
      // Space, controls, 0x7F and above are what breaks lines; anything else is out of place.
      const code = text.charCodeAt(i);
      if (code > 0x20 && code < 0x7f) fail();
      i += 1;
    }
  };
  const until = (mark: string): string => {
    const end = text.indexOf(mark, i);
    if (end < 0) fail();
    const part = text.slice(i, end);
    i = end + mark.length;
    return part;
  };
  do {
    passSpace();
    if (i >= text.length) fail();
    if (text[i] === "(") {
      // (0||name(attributes)(
      i += 1;
      until("||");
      const name = until("(").trim();
      const attributes = until(")");
      passSpace();
      if (text[i] !== "(" || open.length > MOST_DEPTH) fail();
      i += 1;
      const entry: Entry = { name, attributes, children: [] };
      open.at(-1)?.children.push(entry);
      open.push(entry);
    } else {
      // )) ends the list of children and the record.
      if (open.length === 1) fail();
      i += 1;
      passSpace();
      if (text[i] !== ")") fail();
      i += 1;
      open.pop();
    }
  } while (open.length > 1);
  return root;
}
