import type { ProjectId } from "../../../domain/ids.ts";
import { fileOwner } from "../../../domain/platform/stored-file-owner.ts";
import type { StoredFiles } from "../../../storage/ports/platform/stored-files.ts";
import type { MemoryRows } from "./rows.ts";

/** Stored bytes in memory. */
export function createMemoryStoredFiles(rows: MemoryRows): StoredFiles {
  const { storedFiles: files, storageLimits: limits } = rows;

  function ownerOf(key: string): ProjectId | undefined {
    const owner = fileOwner(key);
    if (owner === undefined) return undefined;
    const tables = {
      camera: rows.cameras,
      capture: rows.captures,
      job: rows.jobs,
      report: new Map(rows.reports.map(({ report }) => [report.id, report])),
      stockpile: rows.stockpiles,
      zone: rows.workZones,
    } as unknown as Record<typeof owner.kind, ReadonlyMap<string, object | undefined>>;
    const row = tables[owner.kind].get(owner.id) as
      | { readonly project_id?: ProjectId; readonly projectId?: ProjectId }
      | undefined;
    return row?.project_id ?? row?.projectId;
  }

  const usageOf = (projectId: ProjectId) => {
    const own = [...files.values()].filter((file) => file.projectId === projectId);
    const bytes = own.reduce((sum, file) => sum + file.bytes, 0);
    return { projectId, bytes, files: own.length, limitBytes: limits.get(projectId) };
  };

  const store: StoredFiles = {
    async put({ key, bytes }, projectId) {
      files.set(key, { bytes, projectId: projectId ?? ownerOf(key) });
    },
    async adopt(file) {
      if (!files.has(file.key)) await store.put(file);
    },
    async remove(key) {
      files.delete(key);
    },
    ownerOf: async (key) => ownerOf(key),
    usage: async (projectId) => usageOf(projectId),
    async usages() {
      const owners = [...files.values()].flatMap(({ projectId }) => projectId ?? []);
      return [...new Set([...owners, ...limits.keys()])].sort().map(usageOf);
    },
    async updateLimit(projectId, change) {
      const { limitBytes } = change({ limitBytes: limits.get(projectId) });
      if (limitBytes === undefined) limits.delete(projectId);
      else limits.set(projectId, limitBytes);
    },
    async page(afterKey, limit) {
      return [...files]
        .map(([key, { bytes }]) => ({ key, bytes }))
        .filter(({ key }) => key > afterKey && !key.startsWith("schedules/"))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, limit);
    },
    async adoptSchedules() {
      for (const { summary, ...plan } of rows.schedules) {
        const key = `schedules/${summary.id}`;
        const bytes = Buffer.byteLength(JSON.stringify(plan));
        if (!files.has(key)) files.set(key, { bytes, projectId: summary.project_id });
      }
    },
  };
  return store;
}
