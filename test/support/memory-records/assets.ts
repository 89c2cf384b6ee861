import type { AssetRegistration } from "../../../domain/equipment/asset.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { AssetRecords, AssetRow } from "../../../storage/ports/equipment/assets.ts";
import { changesAfter, type MemoryRows, newestRevision } from "./rows.ts";

/** Assets in memory, with tombstones and assignments. */
export function createMemoryAssets({
  projects,
  assets,
  assignments,
  payloadMappings,
}: MemoryRows): AssetRecords {
  const mosquittoHashes = new Map<AssetId, string | undefined>();

  function rowOf(id: AssetId): AssetRow {
    const row = assets.get(id);
    if (row === undefined || row.deleted) throw new DomainError("ASSET_NOT_FOUND", id);
    return row;
  }

  function put(row: Omit<AssetRow, "revision">): void {
    assets.set(row.asset.id, { ...row, revision: newestRevision(assets.values()) + 1 });
  }

  function requireProject(id: ProjectId): void {
    if (!projects.has(id)) throw new DomainError("PROJECT_NOT_FOUND", id);
  }

  function requireMapping({ decoder, type }: AssetRegistration): void {
    if (decoder !== "mapping" || payloadMappings.get(type)?.mapping !== undefined) return;
    throw new DomainError("MAPPING_NOT_FOUND", type);
  }

  function requireFreeHardwareId({ id, hardware_id }: AssetRegistration): void {
    if (hardware_id === undefined) return;
    for (const { asset, deleted } of assets.values()) {
      if (deleted || asset.id === id || asset.hardware_id !== hardware_id) continue;
      throw new DomainError("ID_CONFLICT", "hardware_id is taken by another asset");
    }
  }

  /** Ends the assignment in force, not before it began, and yields the end. */
  function closeAssignment(assetId: AssetId, atMs: number): number {
    const i = assignments.findIndex(
      (row) => row.assetId === assetId && row.validToMs === undefined,
    );
    const open = assignments[i];
    if (open === undefined) return atMs;
    const validToMs = Math.max(open.validFromMs, atMs);
    assignments[i] = { ...open, validToMs };
    return validToMs;
  }

  function openAssignment({ id, project_id }: AssetRegistration, validFromMs: number): void {
    const assignment = { assetId: id, projectId: project_id, validFromMs, validToMs: undefined };
    // One that began at the same ms has no length, and is dropped.
    const i = assignments.findIndex((row) => row.assetId === id && row.validFromMs === validFromMs);
    if (i === -1) assignments.push(assignment);
    else assignments[i] = assignment;
  }

  return {
    async insert(asset, secretHash, mosquittoHash) {
      requireProject(asset.project_id);
      requireMapping(asset);
      if (assets.has(asset.id)) throw new DomainError("ID_CONFLICT", asset.id);
      requireFreeHardwareId(asset);
      put({ asset, secretHash, deleted: false });
      mosquittoHashes.set(asset.id, mosquittoHash);
      openAssignment(asset, Date.parse(asset.created_at));
    },
    async find(id) {
      const row = assets.get(id);
      return row === undefined || row.deleted ? undefined : row.asset;
    },
    async update(id, change, atMs) {
      const row = rowOf(id);
      const asset = change(row.asset);
      requireProject(asset.project_id);
      requireMapping(asset);
      requireFreeHardwareId(asset);
      put({ ...row, asset });
      if (asset.project_id !== row.asset.project_id) {
        openAssignment(asset, closeAssignment(id, atMs));
      }
    },
    async setSecret(id, secretHash, mosquittoHash) {
      put({ ...rowOf(id), secretHash });
      mosquittoHashes.set(id, mosquittoHash);
    },
    mosquittoHashes: async () =>
      new Map([...mosquittoHashes].filter(([id]) => assets.get(id)?.deleted === false).toSorted()),
    async delete(id, atMs) {
      put({ ...rowOf(id), deleted: true });
      closeAssignment(id, atMs);
    },
    changesSince: async (revision) => changesAfter(assets.values(), revision),
    assignments: async (assetIds) =>
      assignments
        .filter((row) => assetIds?.includes(row.assetId) ?? true)
        .sort((a, b) => a.validFromMs - b.validFromMs),
  };
}
