import type { Queryable, SqlValue } from "./database.ts";

/**
 * Rows that one call of an `expire` deletes at most: few enough that the pipeline's commits wait no
 * longer than for one of their own (measured in bench/records.ts).
 */
const EXPIRED_PER_CALL = 1_000;

/**
 * Deletes up to `EXPIRED_PER_CALL` rows of `table`, oldest first, and yields whether more may be left.
 * `old` is what makes a row old, over `$1` (and the further values) and the table as `aged`.
 */
export async function expireRows(
  database: Queryable,
  { table, old, order }: { readonly table: string; readonly old: string; readonly order: string },
  values: readonly SqlValue[],
): Promise<boolean> {
  const deleted = await database.query<{ count: number }>(
    `WITH gone AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT aged.ctid FROM ${table} AS aged WHERE ${old}
         ORDER BY aged.${order} LIMIT ${EXPIRED_PER_CALL}
       )) RETURNING 1
     )
     SELECT count(*) AS count FROM gone`,
    values,
  );
  return deleted[0]?.count === EXPIRED_PER_CALL;
}
