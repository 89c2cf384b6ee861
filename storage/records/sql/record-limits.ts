import type { ProjectId } from "../../../domain/ids.ts";
import { requireRoom, requireRoomByProject } from "../../../domain/platform/record-limits.ts";
import type { Queryable } from "./database.ts";

/** Tables of subscriptions. */
type Table = "webhooks" | "forwarders";

/**
 * Counts the others in the transaction that inserts or changes one, one such transaction at a time: two that
 * count before either commits would both fit in.
 * @throws DomainError `LIMIT_REACHED`.
 */
export async function requireRoomIn(
  transaction: Queryable,
  table: Table,
  {
    id,
    projectIds,
  }: { readonly id: string; readonly projectIds: readonly ProjectId[] | undefined },
): Promise<void> {
  await lockLimit(transaction, table);
  const rows = await transaction.query<{ project_ids: readonly string[] | null }>(
    `SELECT project_ids FROM ${table} WHERE id <> $1`,
    [id],
  );
  const others = rows.map((row) => ({
    projectIds: (row.project_ids ?? undefined) as readonly ProjectId[] | undefined,
  }));
  requireRoomByProject(table, { projectIds }, others);
}

/** The same of fleet sources, which have no projects. */
export async function requireRoomForSource(transaction: Queryable): Promise<void> {
  await lockLimit(transaction, "fleet_sources");
  const [row] = await transaction.query<{ sources: number }>(
    "SELECT count(*) AS sources FROM fleet_sources",
  );
  requireRoom("fleet sources", row?.sources ?? 0);
}

/** Held to the end of the transaction. */
async function lockLimit(transaction: Queryable, table: string): Promise<void> {
  await transaction.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`limit of ${table}`]);
}
