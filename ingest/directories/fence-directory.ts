import type { AssetId, GeofenceId, ProjectId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { AssetAssignment, GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { FenceTimeline } from "../geofence/fence-timeline.ts";
import type { AssetDirectory } from "./asset-directory.ts";
import { TableFollower } from "./table-follower.ts";

/**
 * Versions that ended before this are not read at start: no fix in reach of a re-run is evaluated against
 * them.
 */
const KEPT_MS = 6 * DAY_MS;

/** What was known at a commit; a start from there has to catch up with what came later. */
export interface FencesSeen {
  readonly revision: number;
  /** Newest beginning or end of an assignment, ms since the Unix epoch. */
  readonly assignedMs: number;
}

/**
 * Assignments that began this long before the newest one seen may not have been seen, ms. Smaller than
 * a slow transaction would miss one; larger evaluates more assets again at a start.
 */
const ASSIGNED_MARGIN_MS = 60_000;

/** Every fence, and which project each asset belonged to when, in memory. */
export interface FenceDirectory {
  readonly timeline: FenceTimeline;
  /** The fence as it is, or as it was last when it is deleted. */
  find(id: GeofenceId): GeofenceVersion | undefined;
  readonly seen: FencesSeen;
  /** The instants, ascending, at which something changed that may not have been known at `seen`. */
  changedAfter(seen: FencesSeen): readonly number[];
  /** The instants, ascending, at which something changed that was learned since the last call. */
  takeChanges(): readonly number[];
  /** Assets whose first assignment was learned since the last call: before, they had no fences at all. */
  takeNewAssets(): readonly AssetId[];
  /** Calls `listener` after something was learned; yields what ends that. */
  onChange(listener: () => void): () => void;
  /** Reads what has changed in the record store; call after every write to fences. */
  refresh(): Promise<void>;
  close(): void;
}

/** Loads the directory and keeps following the record store. */
export async function openFenceDirectory(
  records: Pick<RecordStore, "geofences" | "assets">,
  assets: AssetDirectory,
  now: () => number = Date.now,
): Promise<FenceDirectory> {
  const directory = new StoredFences(records, now);
  await directory.start(assets);
  return directory;
}

class StoredFences implements FenceDirectory {
  readonly timeline = new FenceTimeline();
  readonly #records: Pick<RecordStore, "geofences" | "assets">;
  readonly #now: () => number;
  readonly #follower = new TableFollower(() => this.#follow());
  readonly #newest = new Map<GeofenceId, GeofenceVersion>();
  readonly #listeners = new Set<() => void>();
  #learned: number[] = [];
  #newAssets: AssetId[] = [];
  /** Instants at which each asset's assignments begin or end. */
  readonly #known = new Map<AssetId, ReadonlySet<number>>();
  #revisions: { readonly atMs: number; readonly revision: number }[] = [];
  /** Assets that changed, whose assignments are to be read. */
  readonly #unread = new Set<AssetId>();
  #revision = 0;
  #assignedMs = 0;

  constructor(records: Pick<RecordStore, "geofences" | "assets">, now: () => number) {
    this.#records = records;
    this.#now = now;
  }

  async start(assets: AssetDirectory): Promise<void> {
    assets.onChange((assetId) => {
      this.#unread.add(assetId);
      this.#follower.poll();
    });
    this.#takeAssignments(await this.#records.assets.assignments(undefined));
    await this.#follower.start();
  }

  find(id: GeofenceId): GeofenceVersion | undefined {
    return this.#newest.get(id);
  }

  get seen(): FencesSeen {
    return { revision: this.#revision, assignedMs: this.#assignedMs };
  }

  changedAfter(seen: FencesSeen): readonly number[] {
    const sinceMs = seen.assignedMs - ASSIGNED_MARGIN_MS;
    const assigned = [...this.#known.values()].flatMap((instants) => [...instants]);
    return ascending([
      ...this.#revisions.filter((one) => one.revision > seen.revision).map(({ atMs }) => atMs),
      ...assigned.filter((atMs) => atMs > sinceMs),
    ]);
  }

  takeChanges(): readonly number[] {
    const taken = ascending(this.#learned);
    this.#learned = [];
    return taken;
  }

  takeNewAssets(): readonly AssetId[] {
    const taken = this.#newAssets;
    this.#newAssets = [];
    return taken;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  refresh(): Promise<void> {
    return this.#follower.refresh();
  }

  close(): void {
    this.#follower.close();
  }

  async #follow(): Promise<void> {
    const changes = await this.#records.geofences.changesSince(
      this.#revision,
      this.#now() - KEPT_MS,
    );
    const ids = [...this.#unread];
    this.#unread.clear();
    try {
      if (ids.length > 0) this.#takeAssignments(await this.#records.assets.assignments(ids));
    } catch (error) {
      for (const id of ids) this.#unread.add(id);
      throw error;
    }
    this.#takeVersions(changes.rows);
    this.#revision = Math.max(this.#revision, changes.revision);
    const keptMs = this.#now() - KEPT_MS;
    this.timeline.forget(keptMs);
    this.#revisions = this.#revisions.filter(({ atMs }) => atMs > keptMs);
    if (ids.length === 0 && changes.rows.length === 0) return;
    for (const listener of this.#listeners) listener();
  }

  #takeVersions(versions: readonly GeofenceVersion[]): void {
    // One by one: at a start there may be more than a call takes arguments.
    for (const atMs of this.timeline.apply(versions)) this.#learned.push(atMs);
    for (const version of versions) {
      const before = this.#newest.get(version.geofenceId);
      if (before === undefined || before.validFromMs <= version.validFromMs) {
        this.#newest.set(version.geofenceId, version);
      }
      for (const atMs of boundsOf(version)) {
        this.#revisions.push({ atMs, revision: version.revision });
      }
    }
  }

  #takeAssignments(assignments: readonly AssetAssignment[]): void {
    const byAsset = new Map<AssetId, AssetAssignment[]>();
    for (const one of assignments) {
      const list = byAsset.get(one.assetId);
      if (list === undefined) byAsset.set(one.assetId, [one]);
      else list.push(one);
    }
    for (const [assetId, list] of byAsset) {
      const before = this.#known.get(assetId);
      const instants = new Set(list.flatMap(boundsOf));
      if (before === undefined) this.#newAssets.push(assetId);
      for (const atMs of instants) {
        if (before?.has(atMs) !== true) this.#learned.push(atMs);
        this.#assignedMs = Math.max(this.#assignedMs, atMs);
      }
      this.#known.set(assetId, instants);
      this.timeline.assign(assetId, list);
    }
  }
}

const boundsOf = (one: {
  readonly validFromMs: number;
  readonly validToMs: number | undefined;
}): readonly number[] =>
  one.validToMs === undefined ? [one.validFromMs] : [one.validFromMs, one.validToMs];

const ascending = (times: readonly number[]): readonly number[] =>
  [...new Set(times)].toSorted((a, b) => a - b);

/** The smallest of the given fences that is a zone now; where the asset is shown to be. */
export function smallestZone(
  fences: FenceDirectory,
  held: readonly GeofenceId[],
  projectId: ProjectId,
): GeofenceVersion | undefined {
  let smallest: GeofenceVersion | undefined;
  for (const id of held) {
    const fence = fences.find(id);
    if (fence?.kind !== "zone" || fence.projectId !== projectId || fence.validToMs !== undefined) {
      continue;
    }
    if (smallest === undefined || fence.areaSqm < smallest.areaSqm) smallest = fence;
  }
  return smallest;
}
