import { existsSync } from "node:fs";
import { DomainError } from "../../../domain/errors.ts";

/** Where a repair puts the new cluster for the moment in which it moves the damaged one away. */
export const repairedCluster = (cluster: string): string => `${cluster}.repaired`;

/**
 * A repair was interrupted between two renames.
 * @throws DomainError `STORE_DAMAGED`, because a new database would know no device and no key.
 */
export function refuseUnfinishedRepair(cluster: string): void {
  if (existsSync(cluster) || !existsSync(repairedCluster(cluster))) return;
  throw new DomainError("STORE_DAMAGED", `${cluster} is missing: a repair of it was interrupted`);
}
