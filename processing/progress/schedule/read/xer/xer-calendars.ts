import type { WorkCalendar } from "../../../../../domain/sites/schedule.ts";
import { oneLine, quoted } from "../../../../uploads/file-words.ts";
import { readName } from "../draft/schedule-draft.ts";
import type { Problems } from "../draft/schedule-error.ts";
import { createDayCount, MOST_EXCEPTIONS, makeCalendar, PLAIN_WEEK } from "../draft/work-spans.ts";
import { type CalendarText, CalendarTextError, readCalendarText } from "./calendar-text.ts";
import type { XerRow } from "./xer-rows.ts";

/** A row of CALENDAR. */
interface CalendarRow {
  readonly line: number;
  readonly name: string;
  readonly baseId: string;
  readonly text: string;
}

/**
 * Longest chain of calendars that inherit from each other; P6 has 2. It ends chains that lead back to
 * themselves.
 */
const MOST_BASES = 8;

/** The calendars of a XER; only those that activities use are read. */
export interface XerCalendars {
  take(row: XerRow): void;
  /** Index in `used` of a calendar; `undefined`: there is none of this id. */
  indexOf(id: string): number | undefined;
  readonly used: readonly WorkCalendar[];
}

export function createXerCalendars(problems: Problems, warnings: string[]): XerCalendars {
  const rows = new Map<string, CalendarRow>();
  const texts = new Map<string, CalendarText>();
  const used: WorkCalendar[] = [];
  const indexById = new Map<string, number>();
  const count = createDayCount(MOST_EXCEPTIONS);

  function textOf(id: string, row: CalendarRow): CalendarText {
    const known = texts.get(id);
    if (known !== undefined) return known;
    let text: CalendarText = { week: undefined, exceptions: new Map() };
    try {
      if (row.text !== "") text = readCalendarText(row.text);
    } catch (error) {
      if (!(error instanceof CalendarTextError)) throw error;
      problems.add(`line ${row.line}, clndr_data of ${quoted(row.name)}`, oneLine(error.message));
    }
    count(text.exceptions.size);
    texts.set(id, text);
    return text;
  }

  function read(id: string, row: CalendarRow): WorkCalendar {
    const own = textOf(id, row);
    const exceptions = new Map(own.exceptions);
    let week = own.week;
    let base = rows.get(row.baseId);
    let baseId = row.baseId;
    // Holidays of the global calendar are those of the calendars that are based on it.
    for (let bases = 0; base !== undefined && bases < MOST_BASES; bases++) {
      const text = textOf(baseId, base);
      week ??= text.week;
      for (const [day, shifts] of text.exceptions) {
        if (!exceptions.has(day)) exceptions.set(day, shifts);
      }
      baseId = base.baseId;
      base = rows.get(baseId);
    }
    count(exceptions.size - own.exceptions.size);
    if (week === undefined) {
      warnings.push(
        `the calendar ${quoted(row.name)} names no working days; Monday to Friday, 08:00 to 16:00, are assumed`,
      );
    }
    return makeCalendar(row.name, week ?? PLAIN_WEEK, exceptions);
  }

  return {
    used,
    take(row) {
      rows.set(row.get("clndr_id"), {
        line: row.line,
        name: readName(row.get("clndr_name"), `line ${row.line}, clndr_name`, problems),
        baseId: row.get("base_clndr_id"),
        text: row.get("clndr_data"),
      });
    },
    indexOf(id) {
      const row = rows.get(id);
      if (row === undefined) return undefined;
      const known = indexById.get(id);
      if (known !== undefined) return known;
      const index = used.push(read(id, row)) - 1;
      indexById.set(id, index);
      return index;
    },
  };
}
