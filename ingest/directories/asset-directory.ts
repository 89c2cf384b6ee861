import { isDeepStrictEqual } from "node:util";
import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Project } from "../../domain/project.ts";
import type { AssetRow } from "../../storage/ports/equipment/assets.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import type { CompiledMapping } from "../decoders/fields/decoder.ts";
import { compileStoredMapping } from "../decoders/mapping/compile.ts";
import { TableFollower } from "./table-follower.ts";

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
  onChange(listener: ChangeListener): void;
  close(): void;
}

type ChangeListener = (assetId: AssetId, entry: AssetEntry | undefined) => void;

/** Loads the directory and keeps following the record store. */
export async function openAssetDirectory(records: RecordStore): Promise<AssetDirectory> {
  const directory = new StoredAssets(records);
  await directory.start();
  return directory;
}

class StoredAssets implements AssetDirectory {
  readonly #records: RecordStore;
  readonly #follower = new TableFollower(() => this.#follow());
  readonly #projects = new Map<ProjectId, Project>();
  readonly #entries = new Map<AssetId, AssetEntry>();
  readonly #idsByHardware = new Map<string, AssetId>();
  /** By type. */
  readonly #mappings = new Map<string, CompiledMapping>();
  readonly #listeners: ChangeListener[] = [];
  #revision = 0;
  #mappingRevision = 0;

  constructor(records: RecordStore) {
    this.#records = records;
  }

  start(): Promise<void> {
    return this.#follower.start();
  }

  find(assetId: AssetId): AssetEntry | undefined {
    return this.#entries.get(assetId);
  }

  findByHardwareId(hardwareId: string): AssetEntry | undefined {
    const id = this.#idsByHardware.get(hardwareId);
    return id === undefined ? undefined : this.#entries.get(id);
  }

  project(projectId: ProjectId): Project | undefined {
    return this.#projects.get(projectId);
  }

  projects(): Iterable<Project> {
    return this.#projects.values();
  }

  entries(): Iterable<AssetEntry> {
    return this.#entries.values();
  }

  refresh(): Promise<void> {
    return this.#follower.refresh();
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#follower.close();
  }

  async #follow(): Promise<void> {
    await this.#followProjects();
    const changes = await this.#records.assets.changesSince(this.#revision);
    // After the assets: a mapping was there before the first asset that needs it.
    await this.#followMappings();
    const isStray = ({ asset, deleted }: AssetRow) =>
      !deleted && !this.#projects.has(asset.project_id);
    // Another process made the project after we had listed them: its asset is reported only this
    // once.
    if (changes.rows.some(isStray)) await this.#followProjects();
    for (const row of changes.rows) this.#take(row);
    this.#revision = changes.revision;
    this.#showChangedProjects();
  }

  /** Takes in what is new; a project that did not change stays the object it was. */
  async #followProjects(): Promise<void> {
    const projects = this.#projects;
    const listed = await this.#records.projects.list();
    const ids = new Set(listed.map((project) => project.id));
    for (const id of projects.keys()) if (!ids.has(id)) projects.delete(id);
    for (const project of listed) {
      // By content: two changes may carry the same ms.
      if (!isDeepStrictEqual(projects.get(project.id), project)) projects.set(project.id, project);
    }
  }

  async #followMappings(): Promise<void> {
    const changes = await this.#records.payloadMappings.changesSince(this.#mappingRevision);
    for (const { assetType, mapping } of changes.rows) {
      const compiled = mapping === undefined ? undefined : compileStoredMapping(mapping);
      if (compiled === undefined) this.#mappings.delete(assetType);
      else this.#mappings.set(assetType, compiled);
    }
    this.#mappingRevision = changes.revision;
  }

  #take({ asset, secretHash, deleted }: AssetRow): void {
    const project = this.#projects.get(asset.project_id);
    const mapping = this.#mappings.get(asset.type);
    const entry =
      deleted || project === undefined ? undefined : { asset, project, secretHash, mapping };
    this.#put(asset.id, entry);
    for (const listener of this.#listeners) listener(asset.id, entry);
  }

  /** Puts the asset as it is now in place of what was known of it. */
  #put(id: AssetId, entry: AssetEntry | undefined): void {
    const before = this.#entries.get(id)?.asset.hardware_id;
    // Another asset may have taken the name over before this change was read.
    if (before !== undefined && this.#idsByHardware.get(before) === id) {
      this.#idsByHardware.delete(before);
    }
    if (entry === undefined) this.#entries.delete(id);
    else this.#entries.set(id, entry);
    const now = entry?.asset.hardware_id;
    if (now !== undefined) this.#idsByHardware.set(now, id);
  }

  /** A project's location or shift, or a type's mapping, changed: the assets show it. */
  #showChangedProjects(): void {
    for (const [id, entry] of this.#entries) {
      const project = this.#projects.get(entry.asset.project_id);
      const mapping = this.#mappings.get(entry.asset.type);
      if (project === undefined) continue;
      if (project === entry.project && mapping === entry.mapping) continue;
      this.#entries.set(id, { ...entry, project, mapping });
    }
  }
}
