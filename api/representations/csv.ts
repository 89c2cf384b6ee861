export type CsvValue = string | number | boolean | undefined;

/**
 * A cell that starts with one of these runs as a formula in spreadsheet programs (OWASP, CSV
 * injection).
 */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** One line of RFC 4180 with its CRLF; absent values are empty cells. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: CsvValue): string {
  if (value === undefined) return "";
  // A number is a number, also a negative one: only text can be a formula.
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
