/** A row of a table, by the names of its fields. */
export type XerFields = Readonly<Record<string, string | number>>;

/** The text of a XER: each table with its rows; fields are those of the first row. */
export function xerText(tables: Readonly<Record<string, readonly XerFields[]>>): string {
  const lines = [
    "ERMHDR\t19.12\t2026-03-01\tProject\tadmin\tadmin\tdbxDatabaseNoName\tProject Management\tEUR",
  ];
  for (const [table, rows] of Object.entries(tables)) {
    const fields = Object.keys(rows[0] ?? {});
    lines.push(`%T\t${table}`, `%F\t${fields.join("\t")}`);
    for (const row of rows) lines.push(`%R\t${fields.map((field) => row[field] ?? "").join("\t")}`);
  }
  return `${lines.join("\r\n")}\r\n%E\r\n`;
}

/** Bytes of Windows-1252 for text of Latin-1, and for the euro sign and dashes, which it has elsewhere. */
export function windows1252(text: string): Buffer {
  return Buffer.from(
    text.replaceAll("€", "\u0080").replaceAll("–", "\u0096").replaceAll("„", "\u0084"),
    "latin1",
  );
}

/** Shifts of a day as clndr_data has them: `["08:00", "12:00"]` each. */
type Hours = readonly (readonly [start: string, finish: string])[];

const shifts = (hours: Hours): string =>
  hours.map(([s, f], i) => `(0||${i}(s|${s}|f|${f})())`).join("");

/**
 * The field clndr_data of P6, whose lines end in two characters 0x7F: hours from Monday on, and exceptions
 * by Excel's serial number of the day.
 */
export function calendarData(
  week: readonly Hours[],
  exceptions: ReadonlyMap<number, Hours>,
): string {
  const nl = "\u007f\u007f";
  const days = [6, 0, 1, 2, 3, 4, 5].map(
    (weekday, i) => `(0||${i + 1}()(${shifts(week[weekday] ?? [])}))`,
  );
  const others = [...exceptions].map(
    ([serial, hours], i) => `(0||${i}(d|${serial})(${shifts(hours)}))`,
  );
  return `(0||CalendarData()(${nl}  (0||DaysOfWeek()(${nl}    ${days.join(`${nl}    `)}))${nl}  (0||VIEW(ShowTotal|N)())${nl}  (0||Exceptions()(${others.join(nl)}))))`;
}

/** Excel's serial number of a date such as 2026-04-03. */
export const excelSerial = (date: string): number => Date.parse(date) / 86_400_000 + 25_569;
