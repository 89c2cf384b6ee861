import type { Queryable } from "../records/sql/database.ts";
import { behind, type RowKey } from "./copy-table.ts";
import { asText, quoted, type Table } from "./tables.ts";

/**
 * Rows whose sum is made by one statement: well under a second. More would approach the statement's time
 * limit on slow disks; fewer mean more round trips.
 */
const PAGE_ROWS = 20_000;

/** Count and checksum of a table's rows; the order of the rows does not matter. */
export interface TableChecksum {
  readonly rows: number;
  readonly sum: bigint;
}

/**
 * Sums 60 bits of each row's MD5. In pages, for the time-outs of both engines; these order text
 * differently, so each has pages of its own.
 */
export async function tableChecksum(database: Queryable, table: Table): Promise<TableChecksum> {
  const { name, columns, key } = table;
  const order = key.map((column) => quoted(column.name)).join(", ");
  const row = `ROW(${columns.map(asText).join(", ")})::text`;
  const keyTexts = key.map((column, i) => `${quoted(column.name)}::text AS k${i}`).join(", ");
  let rows = 0;
  let sum = 0n;
  for (let last: RowKey | undefined; ; ) {
    const from = `FROM ${quoted(name)} ${behind(key, last)} ORDER BY ${order}`;
    const [page] = await database.query<{ rows: number; sum: string | null }>(
      `SELECT count(*)::int AS rows, sum(('x' || substr(hash, 1, 15))::bit(60)::bigint)::text AS sum
       FROM (SELECT md5(${row}) AS hash ${from} LIMIT ${PAGE_ROWS}) AS page`,
      last ?? [],
    );
    rows += page?.rows ?? 0;
    sum += BigInt(page?.sum ?? "0");
    if ((page?.rows ?? 0) < PAGE_ROWS) return { rows, sum };
    const [end] = await database.query<Record<string, string>>(
      `SELECT ${keyTexts} ${from} LIMIT 1 OFFSET ${PAGE_ROWS - 1}`,
      last ?? [],
    );
    if (end === undefined) return { rows, sum };
    last = key.map((_, i) => end[`k${i}`] ?? "");
  }
}
