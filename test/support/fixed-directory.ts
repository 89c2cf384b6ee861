import { createHash } from "node:crypto";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { WHOLE_DAY } from "../../domain/project.ts";
import type { AssetDirectory, AssetEntry } from "../../ingest/directories/asset-directory.ts";

const AT = "2026-01-01T00:00:00.000Z";

/** Takes the place of the installation's. */
export const PEPPER = Buffer.alloc(32, 7);

/** Takes the place of the HMAC under the pepper. */
const hashOf = (secret: string): Uint8Array => createHash("sha256").update(secret).digest();

/** What the composition root gives the broker, over the hashes of {@link fixedDirectory}. */
export const verifySecret = (secret: string, hash: Uint8Array): boolean =>
  Buffer.compare(hashOf(secret), hash) === 0;

/** An asset of `projectId` whose MQTT secret is `secret`. */
export function assetEntry(
  assetId: string,
  projectId = "p1",
  secret = `${assetId}-secret`,
): AssetEntry {
  const location = { latitude: 52.5, longitude: 13.4 };
  return {
    asset: {
      id: assetId as AssetId,
      project_id: projectId as ProjectId,
      name: assetId,
      type: "excavator",
      decoder: "plumbline",
      maintenance: false,
      created_at: AT,
      updated_at: AT,
    },
    project: {
      id: projectId as ProjectId,
      name: projectId,
      location,
      time_zone: "UTC",
      shift: WHOLE_DAY,
      created_at: AT,
      updated_at: AT,
    },
    secretHash: hashOf(secret),
  };
}

/** A directory in memory whose entries a test changes by hand. */
export interface FixedDirectory extends AssetDirectory {
  /** Replaces or (`entry` undefined) deletes an asset and notifies the listeners. */
  change(assetId: string, entry: AssetEntry | undefined): void;
}

export function fixedDirectory(initial: readonly AssetEntry[]): FixedDirectory {
  const entries = new Map(initial.map((entry) => [entry.asset.id, entry]));
  const listeners: Parameters<AssetDirectory["onChange"]>[0][] = [];
  return {
    find: (assetId) => entries.get(assetId),
    findByHardwareId: (hardwareId) =>
      [...entries.values()].find(({ asset }) => asset.hardware_id === hardwareId),
    project: (projectId) => [...entries.values()].find((e) => e.project.id === projectId)?.project,
    projects: () =>
      new Map([...entries.values()].map(({ project }) => [project.id, project])).values(),
    entries: () => entries.values(),
    refresh: () => Promise.resolve(),
    onChange: (listener) => {
      listeners.push(listener);
    },
    close: () => undefined,
    change(assetId, entry) {
      if (entry === undefined) entries.delete(assetId as AssetId);
      else entries.set(entry.asset.id, entry);
      for (const listener of listeners) listener(assetId as AssetId, entry);
    },
  };
}
