import { DomainError } from "../../../domain/errors.ts";
import type { ApiKeyRecords } from "../../../storage/ports/platform/api-keys.ts";
import type { ProjectRecords } from "../../../storage/ports/platform/projects.ts";
import type { MemoryRows } from "./rows.ts";

/** Projects in memory. */
export function createMemoryProjects({
  projects,
  assets,
  fences,
  stockpiles,
  workZones,
  cameras,
}: MemoryRows): ProjectRecords {
  return {
    async insert(project) {
      if (projects.has(project.id)) throw new DomainError("ID_CONFLICT", project.id);
      projects.set(project.id, project);
    },
    list: async () => [...projects.values()],
    find: async (id) => projects.get(id),
    async update(id, change) {
      const before = projects.get(id);
      if (before === undefined) throw new DomainError("PROJECT_NOT_FOUND", id);
      const project = change(before);
      projects.set(id, project);
      return project;
    },
    async delete(id) {
      if (!projects.has(id)) throw new DomainError("PROJECT_NOT_FOUND", id);
      if ([...assets.values()].some((row) => !row.deleted && row.asset.project_id === id)) {
        throw new DomainError("PROJECT_IN_USE", `project "${id}" has assets`);
      }
      if ([...fences.values()].some((fence) => fence?.project_id === id)) {
        throw new DomainError("PROJECT_IN_USE", `project "${id}" has geofences`);
      }
      if ([...stockpiles.values()].some((stockpile) => stockpile?.project_id === id)) {
        throw new DomainError("PROJECT_IN_USE", `project "${id}" has stockpiles`);
      }
      if ([...workZones.values()].some((zone) => zone?.project_id === id)) {
        throw new DomainError("PROJECT_IN_USE", `project "${id}" has work zones`);
      }
      if ([...cameras.values()].some((camera) => camera?.project_id === id)) {
        throw new DomainError("PROJECT_IN_USE", `project "${id}" has site cameras`);
      }
      projects.delete(id);
    },
  };
}

/** API keys in memory; `onLookup` is called at every look-up by hash. */
export function createMemoryApiKeys({ keys }: MemoryRows, onLookup: () => void): ApiKeyRecords {
  return {
    async insert(row) {
      if (keys.has(row.key.id)) throw new DomainError("ID_CONFLICT", row.key.id);
      keys.set(row.key.id, row);
    },
    list: async () => [...keys.values()].map((row) => row.key),
    find: async (id) => keys.get(id)?.key,
    async findByHash(hash) {
      onLookup();
      return [...keys.values()].find((row) => Buffer.compare(row.hash, hash) === 0);
    },
    async rename(id, change) {
      const row = keys.get(id);
      if (row === undefined) throw new DomainError("KEY_NOT_FOUND", id);
      const key = { ...row.key, name: change({ name: row.key.name }).name };
      keys.set(id, { ...row, key });
      return key;
    },
    async revoke(id, at) {
      const row = keys.get(id);
      if (row === undefined) throw new DomainError("KEY_NOT_FOUND", id);
      const key = { ...row.key, revoked_at: row.key.revoked_at ?? at };
      keys.set(id, { ...row, key });
      return key;
    },
    async touch(id, at) {
      const row = keys.get(id);
      if (row !== undefined) keys.set(id, { ...row, key: { ...row.key, last_used_at: at } });
    },
  };
}
