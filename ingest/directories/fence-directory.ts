import type { AssetId, GeofenceId, ProjectId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { AssetAssignment, GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { createFenceTimeline, type FenceTimeline } from "../geofence/fence-timeline.ts";
import type { AssetDirectory } from "./asset-directory.ts";

/**
 * Versions that ended before this are not read at start: no fix in reach of a re-run is evaluated against
 * them.
 */
const KEPT_MS = 6 * DAY_MS;
/** How often the directory polls for changes made by another process, ms. Chosen. */
const POLL_MS = 1_000;

/** What was known at a commit; a start from there has to catch up with what came later. */
export interface FencesSeen {
  readonly revision: number;
  /** Newest beginning or end of an assignment, ms since the Unix epoch. */
  readonly assignedMs: number;
}

/** Assignments that began this long before the newest one seen may not have been seen, ms. Chosen: many polls. */
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
  const timeline = createFenceTimeline();
  const newest = new Map<GeofenceId, GeofenceVersion>();
  const listeners = new Set<() => void>();
  let learned: number[] = [];
  let newAssets: AssetId[] = [];
  const known = new Map<AssetId, ReadonlySet<number>>();
  let revisions: { readonly atMs: number; readonly revision: number }[] = [];
  const unread = new Set<AssetId>();
  let revision = 0;
  let assignedMs = 0;
  let running: Promise<void> | undefined;
  let again: Promise<void> | undefined;

  function takeVersions(versions: readonly GeofenceVersion[]): void {
    timeline.apply(versions);
    for (const version of versions) {
      const before = newest.get(version.geofenceId);
      if (before === undefined || before.validFromMs <= version.validFromMs) {
        newest.set(version.geofenceId, version);
      }
      for (const atMs of boundsOf(version)) {
        learned.push(atMs);
        revisions.push({ atMs, revision: version.revision });
      }
    }
  }

  function takeAssignments(assignments: readonly AssetAssignment[]): void {
    const byAsset = new Map<AssetId, AssetAssignment[]>();
    for (const one of assignments) {
      const list = byAsset.get(one.assetId);
      if (list === undefined) byAsset.set(one.assetId, [one]);
      else list.push(one);
    }
    for (const [assetId, list] of byAsset) {
      const before = known.get(assetId);
      const instants = new Set(list.flatMap(boundsOf));
      if (before === undefined) newAssets.push(assetId);
      for (const atMs of instants) {
        if (before?.has(atMs) !== true) learned.push(atMs);
        assignedMs = Math.max(assignedMs, atMs);
      }
      known.set(assetId, instants);
      timeline.assign(assetId, list);
    }
  }

  async function follow(): Promise<void> {
    const changes = await records.geofences.changesSince(revision, now() - KEPT_MS);
    const ids = [...unread];
    unread.clear();
    try {
      if (ids.length > 0) takeAssignments(await records.assets.assignments(ids));
    } catch (error) {
      for (const id of ids) unread.add(id);
      throw error;
    }
    takeVersions(changes.rows);
    revision = Math.max(revision, changes.revision);
    const keptMs = now() - KEPT_MS;
    timeline.forget(keptMs);
    revisions = revisions.filter(({ atMs }) => atMs > keptMs);
    if (ids.length === 0 && changes.rows.length === 0) return;
    for (const listener of listeners) listener();
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

  // The record store may be away; what is known goes on, and the next poll catches up.
  const poll = () => refresh().catch(() => undefined);
  assets.onChange((assetId) => {
    unread.add(assetId);
    void poll();
  });
  takeAssignments(await records.assets.assignments(undefined));
  await refresh();
  const timer = setInterval(poll, POLL_MS);
  timer.unref();

  return {
    timeline,
    find: (id) => newest.get(id),
    get seen() {
      return { revision, assignedMs };
    },
    changedAfter(seen) {
      const sinceMs = seen.assignedMs - ASSIGNED_MARGIN_MS;
      const assigned = [...known.values()].flatMap((instants) => [...instants]);
      return ascending([
        ...revisions.filter((one) => one.revision > seen.revision).map(({ atMs }) => atMs),
        ...assigned.filter((atMs) => atMs > sinceMs),
      ]);
    },
    takeChanges() {
      const taken = ascending(learned);
      learned = [];
      return taken;
    },
    takeNewAssets() {
      const taken = newAssets;
      newAssets = [];
      return taken;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh,
    close: () => clearInterval(timer),
  };
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
