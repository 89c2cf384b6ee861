import { DomainError } from "../../../domain/errors.ts";
import type { Geofence } from "../../../domain/geometry/geofence.ts";
import type { GeofenceId, ProjectId } from "../../../domain/ids.ts";
import type {
  GeofenceRecords,
  GeofenceVersion,
} from "../../../storage/ports/equipment/geofences.ts";
import { changesAfter, type MemoryRows, newestRevision, pageOfRows, passes } from "./rows.ts";

/** Geofences and their versions in memory. */
export function createMemoryGeofences(rows: MemoryRows): GeofenceRecords {
  const { fences, fenceVersions } = rows;

  function requireProject(id: ProjectId): void {
    if (!rows.projects.has(id)) throw new DomainError("PROJECT_NOT_FOUND", id);
  }

  function liveFence(id: GeofenceId): Geofence {
    const fence = fences.get(id);
    if (fence === undefined) throw new DomainError("GEOFENCE_NOT_FOUND", id);
    return fence;
  }

  /** Ends the version in force, at least 1 ms after it began, and yields the end. */
  function endVersion(id: GeofenceId, atMs: number): number {
    const i = fenceVersions.findIndex(
      (row) => row.geofenceId === id && row.validToMs === undefined,
    );
    const version = fenceVersions[i];
    if (version === undefined) throw new Error(`geofence ${id} has no version in force`);
    const validToMs = Math.max(atMs, version.validFromMs + 1);
    fenceVersions[i] = { ...version, validToMs, revision: newestRevision(fenceVersions) + 1 };
    return validToMs;
  }

  function beginVersion(fence: Geofence, validFromMs: number): void {
    const revision = newestRevision(fenceVersions) + 1;
    fenceVersions.push(versionOf(fence, validFromMs, revision));
  }

  async function insertAll(given: readonly Geofence[], atMs: number): Promise<void> {
    for (const fence of given) {
      requireProject(fence.project_id);
      if (fences.has(fence.id)) throw new DomainError("ID_CONFLICT", fence.id);
    }
    for (const fence of given) {
      fences.set(fence.id, fence);
      beginVersion(fence, atMs);
    }
  }

  return {
    insert: (fence, atMs) => insertAll([fence], atMs),
    insertAll,
    find: async (id) => fences.get(id),
    async list({ projectIds, kinds, ...page }) {
      const all = [...fences.values()]
        .filter((fence) => fence !== undefined)
        .filter((fence) => passes(projectIds, fence.project_id))
        .filter((fence) => kinds?.includes(fence.kind) ?? true)
        .sort((a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id));
      return { fences: pageOfRows(all, page), total: all.length };
    },
    async update(id, change, atMs) {
      const fence = change(liveFence(id));
      requireProject(fence.project_id);
      fences.set(id, fence);
      beginVersion(fence, endVersion(id, atMs));
      return fence;
    },
    async delete(id, atMs) {
      liveFence(id);
      endVersion(id, atMs);
      fences.set(id, undefined);
    },
    async changesSince(revision, endedAfterMs = Number.NEGATIVE_INFINITY) {
      const kept = fenceVersions.filter(({ validToMs = Infinity }) => validToMs > endedAfterMs);
      return changesAfter(kept, revision);
    },
  };
}

function versionOf(fence: Geofence, validFromMs: number, revision: number): GeofenceVersion {
  return {
    geofenceId: fence.id,
    projectId: fence.project_id,
    name: fence.name,
    kind: fence.kind,
    ring: fence.ring,
    areaSqm: fence.area_sqm,
    alertOn: fence.alert_on,
    rules: fence.rules,
    validFromMs,
    validToMs: undefined,
    revision,
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
