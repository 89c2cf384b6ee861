import type { Queryable, SqlValue } from "../records/sql/database.ts";
import { type Column, quoted, type Table } from "./tables.ts";

/** Rows of one statement. More take more memory; fewer mean more round trips. */
const PAGE_ROWS = 2_000;
/**
 * Bytes of one statement as they are stored, compressed, but for the row that goes beyond: a schedule
 * of 50,000 activities and a message of 256 KiB are one row each. More take memory on both sides; less
 * means more round trips.
 */
const PAGE_BYTES = 2 * 1024 ** 2;

/** Key of a row as text, by column of the key. */
export type RowKey = readonly string[];

/** `WHERE` of the rows behind a key, whose values are `$1`, `$2`, ...; "" for all rows. */
export function behind(key: readonly Column[], after: RowKey | undefined): string {
  if (after === undefined) return "";
  const names = key.map(({ name }) => quoted(name)).join(", ");
  const values = key.map(({ type }, i) => `$${i + 1}::text::${type}`).join(", ");
  return `WHERE (${names}) > (${values})`;
}

/**
 * Copies the rows behind `after` page by page, every value as text, which loses nothing. A row that is
 * there already is replaced, or kept as it is. Calls `onPage` with the last key after each page is stored.
 */
export async function copyTable(
  source: Queryable,
  target: Queryable,
  table: Table,
  after: RowKey | undefined,
  onPage: (rows: number, last: RowKey) => Promise<void>,
  onConflict: "replace" | "keep" = "replace",
): Promise<void> {
  const { columns, key } = table;
  const keyAt = key.map(({ name: keyName }) => columns.findIndex((one) => one.name === keyName));
  let last = after;
  for (;;) {
    const rows = await source.query<Record<string, string | null>>(
      selectPage(table, last),
      last ?? [],
    );
    const newest = rows.at(-1);
    if (newest === undefined) return;
    await target.query(upsert(table, onConflict), valuesOf(rows, columns.length));
    last = keyAt.map((i) => newest[`c${i}`] ?? "");
    await onPage(rows.length, last);
  }
}

/** The next rows by their key: at least one, where there is one. */
function selectPage({ name, columns, key }: Table, after: RowKey | undefined): string {
  const order = key.map((column) => quoted(column.name)).join(", ");
  const texts = columns.map((column, i) => `${quoted(column.name)}::text AS c${i}`).join(", ");
  // Of a large value that lies beside its row, this does not read the value.
  const size = columns.map((column) => `coalesce(pg_column_size(${quoted(column.name)}), 0)`);
  // Names with a space: no column of a table has one.
  return `SELECT ${texts} FROM (
      SELECT *, sum(${size.join(" + ")}) OVER (ORDER BY ${order}) AS "page bytes",
        row_number() OVER (ORDER BY ${order}) AS "page place"
      FROM (
        SELECT * FROM ${quoted(name)} ${behind(key, after)} ORDER BY ${order} LIMIT ${PAGE_ROWS}
      ) AS next
    ) AS page
    WHERE "page place" = 1 OR "page bytes" <= ${PAGE_BYTES} ORDER BY "page place"`;
}

function upsert({ name, columns, key }: Table, onConflict: "replace" | "keep"): string {
  const names = columns.map((column) => quoted(column.name)).join(", ");
  const arrays = columns.map((_, i) => `$${i + 1}::text[]`).join(", ");
  const aliases = columns.map((_, i) => `c${i}`).join(", ");
  const casts = columns.map(({ type }, i) => `c${i}::${type}`).join(", ");
  const isKey = (column: Column) => key.some((one) => one.name === column.name);
  const changes = columns
    .filter((column) => !isKey(column))
    .map((column) => `${quoted(column.name)} = excluded.${quoted(column.name)}`)
    .join(", ");
  const keyNames = key.map((column) => quoted(column.name)).join(", ");
  return `INSERT INTO ${quoted(name)} (${names})
    SELECT ${casts} FROM unnest(${arrays}) AS page(${aliases})
    ON CONFLICT ${
      changes === "" || onConflict === "keep"
        ? "DO NOTHING"
        : `(${keyNames}) DO UPDATE SET ${changes}`
    }`;
}

function valuesOf(
  rows: readonly Readonly<Record<string, string | null>>[],
  columns: number,
): readonly SqlValue[] {
  return Array.from({ length: columns }, (_, i) => rows.map((row) => row[`c${i}`] ?? null));
}
