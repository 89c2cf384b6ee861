import { DomainError } from "../../domain/errors.ts";
import type { Queryable } from "../records/sql/database.ts";

/** A column that holds data of its own; generated ones are made again by the other side. */
export interface Column {
  readonly name: string;
  /** As SQL writes it, for casts. */
  readonly type: string;
}

/** One table of the record store, as both engines describe it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns of the primary key, in its order. */
  readonly key: readonly Column[];
}

/** Written by the migrations of the schema themselves. */
const NOT_COPIED = new Set(["schema_migrations"]);

/** Every table with what it refers to before it. @throws DomainError `MIGRATION_FAILED` for one without key. */
export async function listTables(database: Queryable): Promise<readonly Table[]> {
  const columns = await database.query<{
    table_name: string;
    name: string;
    type: string;
    key_place: number | null;
  }>(`
    SELECT c.relname AS table_name, a.attname AS name,
      format_type(a.atttypid, a.atttypmod) AS type,
      array_position(k.conkey, a.attnum) AS key_place
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid
    LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    ORDER BY c.relname, a.attnum`);
  const references = await database.query<{ table_name: string; referred: string }>(`
    SELECT conrelid::regclass::text AS table_name, confrelid::regclass::text AS referred
    FROM pg_constraint
    WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conrelid <> confrelid`);
  const names = [...new Set(columns.map((column) => column.table_name))];
  const tables = names
    .filter((name) => !NOT_COPIED.has(name))
    .map((name) =>
      describe(
        name,
        columns.filter((column) => column.table_name === name),
      ),
    );
  return inOrderOfReference(tables, references);
}

function describe(
  name: string,
  rows: readonly {
    readonly name: string;
    readonly type: string;
    readonly key_place: number | null;
  }[],
): Table {
  const key = rows
    .filter((row) => row.key_place !== null)
    .sort((a, b) => (a.key_place ?? 0) - (b.key_place ?? 0));
  if (key.length === 0) {
    throw new DomainError("MIGRATION_FAILED", `the table ${name} has no primary key`);
  }
  const columnOf = ({ name: column, type }: Column): Column => ({ name: column, type });
  return { name, columns: rows.map(columnOf), key: key.map(columnOf) };
}

function inOrderOfReference(
  tables: readonly Table[],
  references: readonly { readonly table_name: string; readonly referred: string }[],
): readonly Table[] {
  const ordered: Table[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const next = [...waiting].find((table) =>
      references.every(
        ({ table_name, referred }) =>
          table_name !== table.name || ![...waiting].some(({ name }) => name === referred),
      ),
    );
    if (next === undefined) throw new DomainError("MIGRATION_FAILED", "tables refer in a circle");
    waiting.delete(next);
    ordered.push(next);
  }
  return ordered;
}

/** A name as SQL reads it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The column as text that both engines write alike. */
export function asText({ name, type }: Column): string {
  // The text of a moment depends on the session's time zone.
  return type === "timestamp with time zone"
    ? `(${quoted(name)} AT TIME ZONE 'UTC')::text`
    : `${quoted(name)}::text`;
}
