import type { EventLoopPauses } from "../../../../uploads/event-loop-pauses.ts";
import { encodingOf, linesOf, textOf } from "../draft/file-text.ts";
import { createProblems } from "../draft/schedule-error.ts";
import { cellText } from "./csv-cells.ts";
import { type CsvRecord, csvRecords } from "./csv-records.ts";

/** One row, by the names of the header in lower case. */
export interface CsvRow {
  readonly line: number;
  /** Text of a cell; "" where the row ends before it. */
  get(column: string): string;
}

export interface CsvRows {
  /** Of the header, in lower case. */
  readonly columns: readonly string[];
  readonly delimiter: string;
  readonly rows: AsyncIterable<CsvRow>;
}

const DELIMITERS = [",", ";", "\t"] as const;
/** The header is searched for in so many characters. */
const HEAD_CHARS = 65_536;
/** `sep=;` in the first line names the separator for Excel. */
const SEPARATOR_LINE = /^\s*"?sep=([,;\t])"?[^\S\r\n]*$/i;
const ROWS_PER_CHECK = 20;

/** Opens a CSV: its encoding, separator and header. @throws ScheduleError */
export function openCsv(content: Uint8Array, pauses: EventLoopPauses): CsvRows {
  const encoding = encodingOf(content);
  const [first, second] = firstLines(textOf(content, encoding));
  const declared = SEPARATOR_LINE.exec(first)?.[1];
  const delimiter = declared ?? likeliest(first);
  const records = csvRecords(linesOf(textOf(content, encoding), createProblems()), delimiter);
  if (declared !== undefined && second !== "") records.next();
  const header: CsvRecord | undefined = records.next().value;
  const columns = (header?.cells ?? []).map((name) => cellText(name).toLowerCase());
  return { columns, delimiter, rows: rowsOf(records, columns, pauses) };
}

/** The first two lines that are not empty. */
function firstLines(pieces: Iterable<string>): readonly [string, string] {
  let head = "";
  for (const piece of pieces) {
    head += piece;
    if (head.length >= HEAD_CHARS) break;
  }
  const [first = "", second = ""] = head
    .slice(0, HEAD_CHARS)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== "");
  return [first, second];
}

/** The separator that the header has most of. */
function likeliest(header: string): string {
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

async function* rowsOf(
  records: Iterable<CsvRecord>,
  columns: readonly string[],
  pauses: EventLoopPauses,
): AsyncGenerator<CsvRow> {
  const indexByColumn = new Map(columns.map((name, i) => [name, i]));
  let count = 0;
  for (const { line, cells } of records) {
    count += 1;
    const pause = count % ROWS_PER_CHECK === 0 ? pauses.due() : undefined;
    if (pause !== undefined) await pause;
    // Rows of nothing but separators are how Excel keeps an empty table.
    if (cells.every((cell) => cell.trim() === "")) continue;
    yield {
      line,
      get(column) {
        const i = indexByColumn.get(column);
        return i === undefined ? "" : cellText(cells[i] ?? "");
      },
    };
  }
}
