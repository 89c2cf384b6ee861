import { DomainError } from "../../domain/errors.ts";
import type { ApiKeyId, AssetId, ProjectId } from "../../domain/ids.ts";
import type { Project } from "../../domain/project.ts";
import type {
  ApiKeyRow,
  AssetRow,
  IdempotentAnswer,
  QuarantineEntry,
  RecordStore,
  UtilizationDay,
} from "../../storage/ports.ts";

/** A record store in memory, with what a test may put in and look at directly. */
export interface MemoryRecords extends RecordStore {
  readonly rows: {
    readonly projects: Map<ProjectId, Project>;
    readonly assets: Map<AssetId, AssetRow>;
    readonly keys: Map<ApiKeyId, ApiKeyRow>;
    readonly quarantine: QuarantineEntry[];
    readonly days: UtilizationDay[];
    readonly answers: Map<string, IdempotentAnswer>;
  };
  /** Makes every call fail with `STORE_UNAVAILABLE`. */
  away: boolean;
  /** How often a key was looked up. */
  keyLookups: number;
}

export function openMemoryRecords(): MemoryRecords {
  const rows: MemoryRecords["rows"] = {
    projects: new Map(),
    assets: new Map(),
    keys: new Map(),
    quarantine: [],
    days: [],
    answers: new Map(),
  };
  let revision = 0;

  function here(): void {
    if (store.away) throw new DomainError("STORE_UNAVAILABLE", "the database is away");
  }

  function assetRow(id: AssetId): AssetRow {
    here();
    const row = rows.assets.get(id);
    if (row === undefined || row.deleted) throw new DomainError("ASSET_NOT_FOUND", id);
    return row;
  }

  function putAsset(row: Omit<AssetRow, "revision">): void {
    revision += 1;
    rows.assets.set(row.asset.id, { ...row, revision });
  }

  function hasProject(id: ProjectId): void {
    here();
    if (!rows.projects.has(id)) throw new DomainError("PROJECT_NOT_FOUND", id);
  }

  const store: MemoryRecords = {
    rows,
    away: false,
    keyLookups: 0,
    projects: {
      async insert(project) {
        here();
        if (rows.projects.has(project.id)) throw new DomainError("ID_CONFLICT", project.id);
        rows.projects.set(project.id, project);
      },
      async list() {
        here();
        return [...rows.projects.values()];
      },
      async find(id) {
        here();
        return rows.projects.get(id);
      },
      async update(id, change) {
        here();
        const before = rows.projects.get(id);
        if (before === undefined) throw new DomainError("PROJECT_NOT_FOUND", id);
        const project = change(before);
        rows.projects.set(id, project);
        return project;
      },
      async delete(id) {
        hasProject(id);
        const inUse = [...rows.assets.values()].some(
          (r) => !r.deleted && r.asset.project_id === id,
        );
        if (inUse) throw new DomainError("PROJECT_IN_USE", "the project has assets");
        rows.projects.delete(id);
      },
    },
    assets: {
      async insert(asset, secretHash) {
        hasProject(asset.project_id);
        if (rows.assets.has(asset.id)) throw new DomainError("ID_CONFLICT", asset.id);
        putAsset({ asset, secretHash, deleted: false });
      },
      async find(id) {
        here();
        const row = rows.assets.get(id);
        return row === undefined || row.deleted ? undefined : row.asset;
      },
      async update(id, change) {
        const row = assetRow(id);
        const asset = change(row.asset);
        hasProject(asset.project_id);
        putAsset({ ...row, asset });
      },
      async setSecret(id, secretHash) {
        putAsset({ ...assetRow(id), secretHash });
      },
      async delete(id) {
        putAsset({ ...assetRow(id), deleted: true });
      },
      async changesSince(since) {
        here();
        const changed = [...rows.assets.values()].filter((row) => row.revision > since);
        return { revision, rows: changed.sort((a, b) => a.revision - b.revision) };
      },
    },
    apiKeys: {
      async insert(row) {
        here();
        rows.keys.set(row.key.id, row);
      },
      async list() {
        here();
        return [...rows.keys.values()].map((row) => row.key);
      },
      async findByHash(hash) {
        here();
        store.keyLookups += 1;
        return [...rows.keys.values()].find((row) => Buffer.compare(row.hash, hash) === 0);
      },
      async revoke(id, at) {
        here();
        const row = rows.keys.get(id);
        if (row === undefined) throw new DomainError("KEY_NOT_FOUND", id);
        const key = { ...row.key, revoked_at: row.key.revoked_at ?? at };
        rows.keys.set(id, { ...row, key });
        return key;
      },
      async touch(id, at) {
        here();
        const row = rows.keys.get(id);
        if (row !== undefined) rows.keys.set(id, { ...row, key: { ...row.key, last_used_at: at } });
      },
    },
    quarantine: {
      async list({ assetId, projectIds, limit, offset }) {
        here();
        const all = rows.quarantine
          .filter((entry) => assetId === undefined || entry.assetId === assetId)
          .filter((entry) => projectIds?.includes(entry.projectId) ?? true)
          .sort((a, b) => b.receivedAtMs - a.receivedAtMs);
        return { entries: all.slice(offset, offset + limit), total: all.length, dropped: 0 };
      },
      async find(id) {
        here();
        return rows.quarantine.find((entry) => entry.id === id);
      },
      async markReplayed(id, atMs) {
        here();
        const i = rows.quarantine.findIndex((entry) => entry.id === id);
        const entry = rows.quarantine[i];
        if (entry === undefined) throw new DomainError("QUARANTINE_NOT_FOUND", id);
        rows.quarantine[i] = { ...entry, replayedAtMs: atMs };
      },
    },
    pipeline: {
      checkpoint: async () => undefined,
      states: async () => [],
      async days(assetId, fromDay, toDay) {
        here();
        return rows.days
          .filter((day) => day.assetId === assetId && day.day >= fromDay && day.day <= toDay)
          .sort((a, b) => (a.day < b.day ? -1 : 1));
      },
      engineOnS: async () => 0,
      async commit() {
        here();
      },
    },
    idempotency: {
      async claim(scope, key, requestHash) {
        here();
        const earlier = rows.answers.get(`${scope} ${key}`);
        if (earlier === undefined) {
          rows.answers.set(`${scope} ${key}`, { requestHash, response: undefined });
        }
        return earlier;
      },
      async complete(scope, key, response) {
        here();
        const claim = rows.answers.get(`${scope} ${key}`);
        rows.answers.set(`${scope} ${key}`, { requestHash: claim?.requestHash ?? "", response });
      },
      async release(scope, key) {
        here();
        rows.answers.delete(`${scope} ${key}`);
      },
    },
    async ping() {
      here();
    },
    async close() {},
  };
  return store;
}
