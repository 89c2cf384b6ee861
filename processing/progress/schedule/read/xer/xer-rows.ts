import type { EventLoopPauses } from "../../../../uploads/event-loop-pauses.ts";
import { quoted } from "../../../../uploads/file-words.ts";
import { linesOf } from "../draft/file-text.ts";
import { type Problems, unreadable } from "../draft/schedule-error.ts";

/** One %R line of a XER. */
export interface XerRow {
  readonly line: number;
  /** Value of a field, trimmed; "" where the table has no such field or the row ends before it. */
  get(field: string): string;
}

const DECIMAL_COMMA = /^([+-]?\d+),(\d+)$/;

/** Text of a number with its decimal point; P6 writes a comma where the currency of its database has one. */
export function numberText(row: XerRow, field: string): string {
  return row.get(field).replace(DECIMAL_COMMA, "$1.$2");
}

/** Takes the rows of one table, each before the next one is read. */
export type TakeRow = (row: XerRow) => void;

/** Most fields of a table: TASK has about 70. It bounds the memory of a line that is anything else. */
const MOST_FIELDS = 500;
/** Most rows of a table: ten activity codes for each of the most activities. It bounds memory and time. */
const MOST_ROWS = 500_000;
/** Lines between two reads of the clock. */
const LINES_PER_CHECK = 200;

/**
 * Reads the given tables, in the order of the file. Lines of a XER begin with what they are: ERMHDR (first),
 * %T table, %F its fields, %R one row, %E the end; all is separated by tabs. Other tables are ignored.
 * @throws ScheduleError
 */
export async function readXerRows(
  pieces: Iterable<string>,
  takeByTable: Readonly<Record<string, TakeRow>>,
  problems: Problems,
  pauses: EventLoopPauses,
): Promise<void> {
  let line = 0;
  let take: TakeRow | undefined;
  let columns: ReadonlyMap<string, number> | undefined;
  let table = "";
  let rows = 0;
  const starts: number[] = [];
  for (const text of linesOf(pieces, problems)) {
    line += 1;
    if (line % LINES_PER_CHECK === 0) {
      const pause = pauses.due();
      if (pause !== undefined) await pause;
    }
    if (line === 1) {
      if (!text.startsWith("ERMHDR")) throw unreadable("line 1", "must begin with ERMHDR");
      continue;
    }
    if (text.startsWith("%R")) {
      if (take === undefined) continue;
      if (columns === undefined) {
        problems.add(`line ${line}`, `is a row of ${quoted(table)}, whose fields are not named`);
        take = undefined;
        continue;
      }
      rows += 1;
      if (rows > MOST_ROWS) {
        throw unreadable(
          `line ${line}`,
          `is one row of ${table} too many: at most ${MOST_ROWS} are read`,
        );
      }
      take(rowOf(text, line, columns, starts));
    } else if (text.startsWith("%T")) {
      table = (text.split("\t", 2)[1] ?? "").trim().toUpperCase();
      take = Object.hasOwn(takeByTable, table) ? takeByTable[table] : undefined;
      columns = undefined;
      rows = 0;
    } else if (text.startsWith("%F")) {
      if (take !== undefined) columns = columnsOf(text);
    } else if (text.startsWith("%E")) {
      return;
    } else if (text.trim() !== "" && take !== undefined) {
      problems.add(`line ${line}`, "begins with none of %T, %F, %R and %E");
    }
  }
}

function columnsOf(text: string): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  text.split("\t", MOST_FIELDS).forEach((name, i) => {
    if (i > 0) columns.set(name.trim().toLowerCase(), i);
  });
  return columns;
}

/**
 * A row that is read field by field: tables have up to 70 of them, and a tenth is asked for. It reuses
 * `starts`, and so is of use only until the next row.
 */
function rowOf(
  text: string,
  line: number,
  columns: ReadonlyMap<string, number>,
  starts: number[],
): XerRow {
  starts.length = 0;
  for (let at = 0; at > 0 || starts.length === 0; at = text.indexOf("\t", at) + 1) {
    if (starts.length > MOST_FIELDS) break;
    starts.push(at);
  }
  return {
    line,
    get(field) {
      const start = starts[columns.get(field) ?? MOST_FIELDS];
      if (start === undefined) return "";
      const end = text.indexOf("\t", start);
      return text.slice(start, end < 0 ? text.length : end).trim();
    },
  };
}
