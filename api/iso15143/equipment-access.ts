import type { FastifyRequest } from "fastify";
import type { AssetId } from "../../domain/ids.ts";
import type { AssetDirectory, AssetEntry } from "../../ingest/asset-directory.ts";
import { seesProject } from "../auth/principal.ts";
import { visibleAsset } from "../equipment/asset-access.ts";
import { principal } from "../plugins/guard.ts";

/**
 * The machine that a path names by the asset's id or its `hardware_id`.
 * @throws DomainError `ASSET_NOT_FOUND`, also for one that the key may not see.
 */
export function visibleEquipment(
  directory: AssetDirectory,
  request: FastifyRequest,
  name: string,
): AssetEntry {
  const found = directory.find(name as AssetId) ?? directory.findByHardwareId(name);
  return visibleAsset(directory, request, found?.asset.id ?? (name as AssetId));
}

/** Every machine that the key may see, in order of registration. */
export function visibleFleet(directory: AssetDirectory, request: FastifyRequest): AssetEntry[] {
  const who = principal(request);
  const seen = ({ asset }: AssetEntry) => seesProject(who, asset.project_id);
  return Array.from(directory.entries()).filter(seen);
}
