import type { Queryable } from "../sql/database.ts";

/**
 * Drops `template0` and `template1` of an embedded cluster. Only CREATE DATABASE reads them, and nothing here
 * calls it. They are half of a cluster's files. VACUUM works in its own database alone, so their age only
 * grows, and after 2^31 transactions PostgreSQL refuses all writing. PostgreSQL completes a drop that a crash
 * interrupted: it leaves a database that can only be dropped.
 */
export async function dropTemplates(database: Queryable): Promise<void> {
  const templates = await database.query<{ name: string; isTemplate: boolean }>(
    `SELECT datname AS name, datistemplate AS "isTemplate" FROM pg_database
       WHERE datname IN ('template0', 'template1') AND datname <> current_database()
       ORDER BY datname`,
  );
  for (const { name, isTemplate } of templates) {
    if (isTemplate) await database.query(`ALTER DATABASE ${name} WITH IS_TEMPLATE false`);
    await database.query(`DROP DATABASE ${name}`);
  }
}
