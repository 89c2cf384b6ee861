import { isoWallMinutes, SCHEDULE_YEARS, wallMinutes } from "../draft/wall-minutes.ts";

/** A time that a cell gives. */
export interface CellTime {
  /** Wall clock, minutes. */
  readonly min: number;
  /** Only the date was given, and `min` is its 00:00. */
  readonly isDate: boolean;
}

/** What a cell with a time should look like; follows "must be". */
export const TIME_FORMS = `a date such as 2026-03-31 or 03-31-2026 (month first), with or without a time such as 07:30, of the years ${SCHEDULE_YEARS.first} to ${SCHEDULE_YEARS.last}`;

const MONTH_FIRST = /^(\d{1,2})-(\d{1,2})-(\d{4})(?:[T ](\d{1,2}):(\d{2})(?::\d{2})?)?$/;
const SHORT_HOUR = /^(\d{4}-\d{2}-\d{2}) (\d:)/;

export function cellTime(text: string): CellTime | undefined {
  const parts = MONTH_FIRST.exec(text);
  const min =
    parts === null
      ? // Excel writes 7:30 where ISO has 07:30.
        isoWallMinutes(text.replace(SHORT_HOUR, "$1 0$2"))
      : monthFirst(parts);
  return min === undefined ? undefined : { min, isDate: !text.includes(":") };
}

function monthFirst(parts: RegExpExecArray): number | undefined {
  const [, month, day, year, hour = "0", minute = "0"] = parts;
  return wallMinutes(Number(year), Number(month), Number(day), Number(hour), Number(minute));
}

/** `="2026-03-31"`: how people keep Excel from changing a cell. */
const FORMULA_TEXT = /^="(.*)"$/;

/** The text of a cell, without what spreadsheet programs put around it. */
export function cellText(cell: string): string {
  const text = cell.trim();
  return (FORMULA_TEXT.exec(text)?.[1] ?? text).trim();
}

const DECIMAL_COMMA = /^(\d+),(\d+)$/;

/** A number with its decimal point; programs that separate cells by `;` write a decimal comma. */
export function decimalPoint(text: string, delimiter: string): string {
  return delimiter === "," ? text : text.replace(DECIMAL_COMMA, "$1.$2");
}
