import type { Queryable, SqlValue } from "../records/database.ts";
import { type Column, quoted, type Table } from "./tables.ts";

/** Rows of one statement; fewer where rows may hold payloads of 256 KiB. Chosen. */
const PAGE_ROWS = { usual: 2_000, withBytes: 100 };

/** Key of a row as text, by column of the key. */
export type RowKey = readonly string[];

const pageRows = ({ columns }: Table): number =>
  columns.some(({ type }) => type === "bytea") ? PAGE_ROWS.withBytes : PAGE_ROWS.usual;

/** `WHERE` of the rows behind a key, whose values are `$1`, `$2`, ...; "" for all rows. */
export function behind(key: readonly Column[], after: RowKey | undefined): string {
  if (after === undefined) return "";
  const names = key.map(({ name }) => quoted(name)).join(", ");
  const values = key.map(({ type }, i) => `$${i + 1}::text::${type}`).join(", ");
  return `WHERE (${names}) > (${values})`;
}

/**
 * Copies the rows behind `after` page by page, every value as text, which loses nothing. A row that is
 * there already is replaced. Calls `onPage` with the last key after each page is stored.
 */
export async function copyTable(
  source: Queryable,
  target: Queryable,
  table: Table,
  after: RowKey | undefined,
  onPage: (rows: number, last: RowKey) => Promise<void>,
): Promise<void> {
  const { name, columns, key } = table;
  const limit = pageRows(table);
  const order = key.map((column) => quoted(column.name)).join(", ");
  const selected = columns.map((column, i) => `${quoted(column.name)}::text AS c${i}`).join(", ");
  const keyAt = key.map(({ name: keyName }) => columns.findIndex((one) => one.name === keyName));
  let last = after;
  for (;;) {
    const rows = await source.query<Record<string, string | null>>(
      `SELECT ${selected} FROM ${quoted(name)} ${behind(key, last)} ORDER BY ${order} LIMIT ${limit}`,
      last ?? [],
    );
    const newest = rows.at(-1);
    if (newest === undefined) return;
    await target.query(upsert(table), valuesOf(rows, columns.length));
    last = keyAt.map((i) => newest[`c${i}`] ?? "");
    await onPage(rows.length, last);
    if (rows.length < limit) return;
  }
}

function upsert({ name, columns, key }: Table): string {
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
    ON CONFLICT (${keyNames}) DO ${changes === "" ? "NOTHING" : `UPDATE SET ${changes}`}`;
}

function valuesOf(
  rows: readonly Readonly<Record<string, string | null>>[],
  columns: number,
): readonly SqlValue[] {
  return Array.from({ length: columns }, (_, i) => rows.map((row) => row[`c${i}`] ?? null));
}
