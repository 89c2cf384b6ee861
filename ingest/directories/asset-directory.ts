import { isDeepStrictEqual } from "node:util";
import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Project } from "../../domain/project.ts";
import type { AssetRow } from "../../storage/ports/equipment/assets.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { type CompiledMapping, compileStoredMapping } from "../decoders/mapping/compile.ts";

/** An asset that exists now, with its project and what the broker checks a log-in against. */
export interface AssetEntry {
  readonly asset: AssetRegistration;
  readonly project: Project;
  /** HMAC-SHA-256 of the MQTT secret under the pepper, 32 bytes. */
  readonly secretHash: Uint8Array;
  /** The mapping of the asset's type, for the decoder that uses one; absent: it has none. */
  readonly mapping?: CompiledMapping | undefined;
}

/** Every asset and project in memory, for the paths that cannot wait for a database. */
export interface AssetDirectory {
  find(assetId: AssetId): AssetEntry | undefined;
  /** The asset that is registered with that `hardware_id`, compared character by character. */
  findByHardwareId(hardwareId: string): AssetEntry | undefined;
  project(projectId: ProjectId): Project | undefined;
  /** Live view of every project. */
  projects(): Iterable<Project>;
  /** Live view in order of registration. */
  entries(): Iterable<AssetEntry>;
  /** Reads what has changed in the record store; call after every write to assets, projects or mappings. */
  refresh(): Promise<void>;
  /** Called for every asset that was added, changed or (`entry` undefined) deleted. */
  onChange(listener: (assetId: AssetId, entry: AssetEntry | undefined) => void): void;
  close(): void;
}

/** How often the directory polls for changes made by another process, ms. Chosen. */
const POLL_MS = 1_000;

/** Loads the directory and keeps following the record store. */
export async function openAssetDirectory(records: RecordStore): Promise<AssetDirectory> {
  const projects = new Map<ProjectId, Project>();
  const entries = new Map<AssetId, AssetEntry>();
  const idsByHardware = new Map<string, AssetId>();
  /** By type. */
  const mappings = new Map<string, CompiledMapping>();
  const listeners: ((assetId: AssetId, entry: AssetEntry | undefined) => void)[] = [];
  let revision = 0;
  let mappingRevision = 0;
  let running: Promise<void> | undefined;
  let again: Promise<void> | undefined;

  /** Takes in what is new; a project that did not change stays the object it was. */
  async function followProjects(): Promise<void> {
    const listed = await records.projects.list();
    const ids = new Set(listed.map((project) => project.id));
    for (const id of projects.keys()) if (!ids.has(id)) projects.delete(id);
    for (const project of listed) {
      // By content: two changes may carry the same ms.
      if (!isDeepStrictEqual(projects.get(project.id), project)) projects.set(project.id, project);
    }
  }

  /** Puts the asset as it is now in place of what was known of it. */
  function put(id: AssetId, entry: AssetEntry | undefined): void {
    const before = entries.get(id)?.asset.hardware_id;
    // Another asset may have taken the name over before this change was read.
    if (before !== undefined && idsByHardware.get(before) === id) idsByHardware.delete(before);
    if (entry === undefined) entries.delete(id);
    else entries.set(id, entry);
    const now = entry?.asset.hardware_id;
    if (now !== undefined) idsByHardware.set(now, id);
  }

  async function followMappings(): Promise<void> {
    const changes = await records.payloadMappings.changesSince(mappingRevision);
    for (const { assetType, mapping } of changes.rows) {
      const compiled = mapping === undefined ? undefined : compileStoredMapping(mapping);
      if (compiled === undefined) mappings.delete(assetType);
      else mappings.set(assetType, compiled);
    }
    mappingRevision = changes.revision;
  }

  async function follow(): Promise<void> {
    await followProjects();
    const changes = await records.assets.changesSince(revision);
    // After the assets: a mapping was there before the first asset that needs it.
    await followMappings();
    const isStray = ({ asset, deleted }: AssetRow) => !deleted && !projects.has(asset.project_id);
    // Another process made the project after we had listed them: its asset is reported only this
    // once.
    if (changes.rows.some(isStray)) await followProjects();
    for (const { asset, secretHash, deleted } of changes.rows) {
      const project = projects.get(asset.project_id);
      const mapping = mappings.get(asset.type);
      const entry =
        deleted || project === undefined ? undefined : { asset, project, secretHash, mapping };
      put(asset.id, entry);
      for (const listener of listeners) listener(asset.id, entry);
    }
    revision = changes.revision;
    for (const [id, entry] of entries) {
      const project = projects.get(entry.asset.project_id);
      const mapping = mappings.get(entry.asset.type);
      // A project's location or shift, or a type's mapping, changed: the assets show it.
      if (project === undefined) continue;
      if (project === entry.project && mapping === entry.mapping) continue;
      entries.set(id, { ...entry, project, mapping });
    }
  }

  /** One poll at a time; a call during a poll waits for the next one, which sees its write. */
  function refresh(): Promise<void> {
    if (running === undefined) {
      running = follow().finally(() => {
        running = undefined;
      });
      return running;
    }
    again ??= running
      .catch(() => undefined)
      .then(() => {
        again = undefined;
        return refresh();
      });
    return again;
  }

  await refresh();
  const timer = setInterval(() => {
    // The record store may be away; intake goes on with what is known, and the next poll catches up.
    refresh().catch(() => undefined);
  }, POLL_MS);
  timer.unref();

  return {
    find: (assetId) => entries.get(assetId),
    findByHardwareId: (hardwareId) => {
      const id = idsByHardware.get(hardwareId);
      return id === undefined ? undefined : entries.get(id);
    },
    project: (projectId) => projects.get(projectId),
    projects: () => projects.values(),
    entries: () => entries.values(),
    refresh,
    onChange: (listener) => {
      listeners.push(listener);
    },
    close: () => clearInterval(timer),
  };
}
