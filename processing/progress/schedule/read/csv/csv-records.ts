import { unreadable } from "../draft/schedule-error.ts";

/** Cells of one row of a CSV. */
export interface CsvRecord {
  /** Where it begins. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Longest row, characters: three names of the most that is kept, and room. */
const MOST_ROW_CHARS = 16_384;
/**
 * Most lines, empty ones included: there are fewer points, and fewer activities, than that. It bounds the time
 * that a file of empty lines takes.
 */
const MOST_LINES = 500_000;
/**
 * Most line breaks within a row: a quote that is never closed would take in the rest of the file. Fewer would
 * refuse long notes in a cell.
 */
const MOST_BREAKS = 50;
/** Most cells of a row that are kept; those after are ignored. */
const MOST_CELLS = 200;

/**
 * Rows of a CSV (RFC 4180) from its lines: a cell in quotes may have separators, line breaks, and quotes
 * written twice; quotes within other cells are text. Rows may differ in length, as those of spreadsheet
 * programs do. Empty lines are ignored.
 *
 * `csv-parse` was tried: it makes an error with a copy of its options for each row of another length, 50 to
 * 150 us each, and counts no separators against its limit of a row's size (20 MB of commas: 1.2 GB).
 * @throws ScheduleError for a quote that is not closed, text behind one that is, and rows too long.
 */
export function* csvRecords(lines: Iterable<string>, delimiter: string): Generator<CsvRecord> {
  let line = 0;
  /** Begun with an open quote. */
  let begun: { readonly line: number; text: string } | undefined;
  const fail = (at: number, message: string) => unreadable(`line ${at}`, message);
  for (const broken of lines) {
    // Line breaks of old Macs.
    for (const text of broken.includes("\r") ? broken.split("\r") : [broken]) {
      line += 1;
      if (line > MOST_LINES) throw unreadable("file", `has more than ${MOST_LINES} lines`);
      const row = begun === undefined ? { line, text } : begun;
      if (begun !== undefined) begun.text += `\n${text}`;
      else if (text.trim() === "") continue;
      if (row.text.length > MOST_ROW_CHARS) {
        throw fail(row.line, `is a row of more than ${MOST_ROW_CHARS} characters`);
      }
      if (line - row.line > MOST_BREAKS) throw fail(row.line, NOT_CLOSED);
      const cells = cellsOf(row, delimiter);
      begun = cells === undefined ? row : undefined;
      if (cells !== undefined) yield { line: row.line, cells };
    }
  }
  if (begun !== undefined) throw fail(begun.line, NOT_CLOSED);
}

const NOT_CLOSED = `has a quote that is not closed within ${MOST_BREAKS} lines`;

/** `undefined`: a quote is still open. */
function cellsOf(
  { line, text }: { readonly line: number; readonly text: string },
  delimiter: string,
): readonly string[] | undefined {
  if (!text.includes('"')) return text.split(delimiter, MOST_CELLS);
  const cells: string[] = [];
  for (let from = 0; from <= text.length && cells.length < MOST_CELLS; ) {
    const start = firstInk(text, from, delimiter);
    if (text[start] !== '"') {
      const end = orEnd(text.indexOf(delimiter, from), text);
      cells.push(text.slice(from, end));
      from = end + 1;
      continue;
    }
    const close = closingQuote(text, start + 1);
    if (close === undefined) return undefined;
    cells.push(text.slice(start + 1, close).replaceAll('""', '"'));
    const end = firstInk(text, close + 1, delimiter);
    if (end < text.length && text[end] !== delimiter) {
      throw unreadable(`line ${line}`, "has text between a closing quote and the next separator");
    }
    from = end + 1;
  }
  return cells;
}

/** First place that is not a blank, or is the separator, which may be a tab. */
function firstInk(text: string, from: number, delimiter: string): number {
  let i = from;
  while ((text[i] === " " || text[i] === "\t") && text[i] !== delimiter) i += 1;
  return i;
}

/** The quote that ends a cell, from the inside of the cell on; two in a row are one of its text. */
function closingQuote(text: string, from: number): number | undefined {
  let i = text.indexOf('"', from);
  while (i >= 0 && text[i + 1] === '"') i = text.indexOf('"', i + 2);
  return i < 0 ? undefined : i;
}

const orEnd = (index: number, text: string): number => (index < 0 ? text.length : index);
