import { DomainError } from "../../../domain/errors.ts";
import type { WorkZoneId } from "../../../domain/ids.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { Queryable } from "../sql/database.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { msOf } from "../sql/times.ts";

/** What is read of `work_zones`; JSON leaves out what is `undefined`. */
export type StoredZone = { readonly body: WorkZone };

/**
 * Those of the zones that are there, in no order, which nobody else changes or deletes until the
 * transaction ends. Locked by rising id, so that no two transactions wait for each other.
 */
export async function lockZones(
  transaction: Queryable,
  ids: readonly WorkZoneId[],
): Promise<readonly WorkZone[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.query<StoredZone>(
    "SELECT body FROM work_zones WHERE id = ANY ($1) AND NOT deleted ORDER BY id FOR UPDATE",
    [ids],
  );
  return rows.map(({ body }) => body);
}

/** As `lockZones`. @throws DomainError `ZONE_NOT_FOUND` when one is missing. */
export async function requireZones(
  transaction: Queryable,
  ids: readonly WorkZoneId[],
): Promise<void> {
  const found = new Set((await lockZones(transaction, ids)).map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw zoneNotFound(missing);
}

/** Stores the zone as it is now; its row is locked. @throws DomainError `PROJECT_NOT_FOUND`. */
export async function replaceZone(transaction: Queryable, zone: WorkZone): Promise<void> {
  await explainViolations(
    transaction.query(
      "UPDATE work_zones SET project_id = $2, created_at_ms = $3, body = $4 WHERE id = $1",
      [zone.id, zone.project_id, msOf(zone.created_at), JSON.stringify(zone)],
    ),
    { foreignKey: ["PROJECT_NOT_FOUND", `no project "${zone.project_id}"`] },
  );
}

export const zoneNotFound = (id: WorkZoneId): DomainError =>
  new DomainError("ZONE_NOT_FOUND", `no work zone "${id}"`);
