import type { FastifyRequest } from "fastify";
import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Project } from "../../domain/project.ts";
import type { AssetDirectory, AssetEntry } from "../../ingest/directories/asset-directory.ts";
import { principal } from "../auth/guard.ts";
import { seesProject } from "../auth/principal.ts";
import { DetailedError } from "../errors/detailed-error.ts";

/**
 * An asset that the key may see.
 * @throws DomainError `ASSET_NOT_FOUND`, the same for an absent asset and for another tenant's.
 */
export function visibleAsset(
  directory: AssetDirectory,
  request: FastifyRequest,
  assetId: AssetId,
): AssetEntry {
  const entry = directory.find(assetId);
  if (entry === undefined || !seesProject(principal(request), entry.asset.project_id)) {
    throw new DomainError("ASSET_NOT_FOUND", `no asset ${assetId}`);
  }
  return entry;
}

/**
 * A project that the key may see; `parameter` is where the request names it.
 * @throws DetailedError `PROJECT_NOT_FOUND`, as above. It names the parameter: where a body names a project
 * by mistake, "Not found" alone reads as if the route were missing.
 */
export function visibleProject(
  directory: AssetDirectory,
  request: FastifyRequest,
  projectId: ProjectId,
  parameter = "project_id",
): Project {
  const project = directory.project(projectId);
  if (project === undefined || !seesProject(principal(request), projectId)) {
    throw new DetailedError("PROJECT_NOT_FOUND", `no project ${projectId}`, [
      { parameter, message: "names no project that this key may see" },
    ]);
  }
  return project;
}

/**
 * The projects that a list is about, as the record store's filters take them: the one that was asked
 * for, else those of the key; none named for a key that sees all.
 * @throws DomainError `PROJECT_NOT_FOUND` for one that the key may not see.
 */
export function visibleProjects(
  directory: AssetDirectory,
  request: FastifyRequest,
  asked: ProjectId | undefined,
): { readonly projectIds?: readonly ProjectId[] } {
  if (asked !== undefined) return { projectIds: [visibleProject(directory, request, asked).id] };
  const { projectIds } = principal(request);
  return projectIds === undefined ? {} : { projectIds: [...projectIds] };
}

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

type Named = Pick<AssetRegistration, "decoder" | "hardware_id">;

/**
 * A device behind a Sparkplug edge node gets what the edge node says of it, by its name alone. So only keys
 * that see an edge node may name devices below it. Only a key that sees all devices already named below an
 * edge node may register it.
 * @throws DomainError `ID_CONFLICT`, the same words as for a name that another asset has.
 */
export function requireOwnGateway(
  directory: AssetDirectory,
  request: FastifyRequest,
  named: Named,
): void {
  const name = sparkplugName(named);
  if (name === undefined) return;
  const key = principal(request);
  for (const { asset } of directory.entries()) {
    const other = sparkplugName(asset);
    if (other === undefined || seesProject(key, asset.project_id)) continue;
    if (isBelow(name, other) || isBelow(other, name)) {
      throw new DomainError("ID_CONFLICT", "hardware_id is taken by another asset");
    }
  }
}

const sparkplugName = ({ decoder, hardware_id }: Named): string | undefined =>
  decoder === "sparkplug" ? hardware_id : undefined;

/** Whether `device` is the name of something behind `gateway`. */
const isBelow = (device: string, gateway: string): boolean => device.startsWith(`${gateway}/`);
