import type { FastifyRequest } from "fastify";
import type { AssetId } from "../../domain/ids.ts";
import type { AssetDirectory, AssetEntry } from "../../ingest/directories/asset-directory.ts";
import { principal } from "../auth/guard.ts";
import { seesProject } from "../auth/principal.ts";
import { visibleAsset } from "./asset-access.ts";

/**
 * The machine that a path names by the asset's id, its `hardware_id`, or a `serial_number` that is that of
 * one machine which the key may see.
 * @throws DomainError `ASSET_NOT_FOUND`, also for one that the key may not see.
 */
export function visibleEquipment(
  directory: AssetDirectory,
  request: FastifyRequest,
  name: string,
): AssetEntry {
  const who = principal(request);
  // Another tenant's hardware may be called what this key's machine has for a serial number.
  const found =
    [directory.find(name as AssetId), directory.findByHardwareId(name)].find(
      (entry) => entry !== undefined && seesProject(who, entry.asset.project_id),
    ) ?? onlyOneOfSerial(visibleFleet(directory, request), name);
  return visibleAsset(directory, request, found?.asset.id ?? (name as AssetId));
}

function onlyOneOfSerial(fleet: readonly AssetEntry[], serial: string): AssetEntry | undefined {
  const found = fleet.filter(({ asset }) => asset.serial_number === serial);
  return found.length === 1 ? found[0] : undefined;
}

/** Every machine that the key may see, in order of registration. */
export function visibleFleet(directory: AssetDirectory, request: FastifyRequest): AssetEntry[] {
  const who = principal(request);
  const seen = ({ asset }: AssetEntry) => seesProject(who, asset.project_id);
  return Array.from(directory.entries()).filter(seen);
}
