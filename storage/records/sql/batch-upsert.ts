import type { Queryable } from "./database.ts";

/**
 * One column of a batch: its name, the type of its array, its value in a row. Where an existing row does not
 * simply get that value, also the SQL expression of its new value.
 */
type BatchColumn<Row> = readonly [
  name: string,
  type: "text" | "bigint" | "int" | "float8" | "bool" | "json",
  value: (row: Row) => string | number | boolean | null,
  replacement?: string,
];

/** Inserts rows in one statement; those that exist (same key) get the given columns. */
export type BatchUpsert<Row> = (transaction: Queryable, rows: readonly Row[]) => Promise<void>;

/**
 * Makes the upsert of one table. Columns that are not given keep their values. Of two rows with one
 * key the last counts. Writing again is harmless.
 */
export function createBatchUpsert<Row>(
  table: string,
  key: readonly string[],
  columns: readonly BatchColumn<Row>[],
): BatchUpsert<Row> {
  const names = columns.map(([name]) => name);
  const arrays = columns.map(([, type], i) => `$${i + 1}::${type}[]`);
  const replaced = columns.filter(([name]) => !key.includes(name));
  const statement = `INSERT INTO ${table} (${names.join(", ")})
    SELECT * FROM unnest(${arrays.join(", ")})
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET
      ${replaced.map(([name, , , is]) => `${name} = ${is ?? `excluded.${name}`}`).join(", ")}`;
  const keyColumns = columns.filter(([name]) => key.includes(name));
  const keyOf = (row: Row): string => keyColumns.map(([, , value]) => value(row)).join(" ");

  return async (transaction, rows) => {
    if (rows.length === 0) return;
    // An upsert must not meet a row twice.
    const last = [...new Map(rows.map((row) => [keyOf(row), row])).values()];
    await transaction.query(
      statement,
      columns.map(([, , value]) => last.map(value)),
    );
  };
}
