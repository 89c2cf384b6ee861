import type { ProjectId } from "../../domain/ids.ts";
import { HOME_STATE } from "../../storage/migration/journal-home.ts";
import type { FencesSeen } from "../directories/fence-directory.ts";
import { MAINTENANCE_SEEN } from "../directories/plan-directory.ts";
import type { Outage } from "../liveness/outage.ts";
import { FENCES_SEEN } from "../pipeline/fences-seen.ts";
import { LIVENESS, type LivenessShared } from "../stages/liveness/liveness-stage.ts";
import type { MaintenanceShared } from "../stages/maintenance/maintenance-stage.ts";

const PREFIX = "partition/";
const nameIn = (partition: number, name: string): string => `${PREFIX}${partition}/${name}`;

type Shared = ReadonlyMap<string, string>;

/** What the only pipeline shared, for each partition to go on from: also over what it shared in earlier days. */
export function sharedForPartitions(shared: Shared, partitions: number): Shared {
  const own = [...shared].filter(([name]) => !name.startsWith(PREFIX) && name !== HOME_STATE);
  return new Map(
    own.flatMap(([name, state]) =>
      Array.from({ length: partitions }, (_, partition) => [nameIn(partition, name), state]),
    ) as [string, string][],
  );
}

/** What the pipelines of all partitions shared, as the only one goes on from it. */
export interface MergedShared {
  readonly states: Shared;
  /** The newest tick that all partitions have had, server clock, ms; 0: there was none. */
  readonly seenMs: number;
  /** What is added to the downtime in moments of assets of that partition, ms; see `Moment`. */
  readonly addedPauseMs: (partition: number) => number;
}

/**
 * The only pipeline goes on with the partition that is furthest behind: what others have had once more changes
 * nothing there. Each partition counted its own downtime; the one that is furthest behind gives that of all.
 */
export function mergeShared(
  shared: Shared,
  partitions: number,
  ownerOf: (projectId: ProjectId) => number,
): MergedShared {
  /** Of each partition, of the only pipeline where it has none. */
  function statesOf<T>(name: string): readonly (T | undefined)[] {
    return Array.from({ length: partitions }, (_, partition) => {
      const text = shared.get(nameIn(partition, name)) ?? shared.get(name);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    });
  }
  const states = new Map<string, string>();
  const liveness = statesOf<LivenessShared>(LIVENESS);
  const slowest = slowestOf(liveness);
  if (slowest !== undefined) {
    const outages = liveness.flatMap((one, partition): readonly Outage[] =>
      (one?.outages ?? []).filter(({ projectId }) => ownerOf(projectId) === partition),
    );
    states.set(LIVENESS, JSON.stringify({ ...slowest, outages } satisfies LivenessShared));
  }
  const maintenance = least(statesOf<MaintenanceShared>(MAINTENANCE_SEEN));
  if (maintenance !== undefined) states.set(MAINTENANCE_SEEN, JSON.stringify(maintenance));
  const fences = least(statesOf<FencesSeen>(FENCES_SEEN));
  if (fences !== undefined) states.set(FENCES_SEEN, JSON.stringify(fences));
  return {
    // Also where partitions would find it: what is older there would be gone by.
    states: new Map([...states, ...sharedForPartitions(states, partitions)]),
    seenMs: slowest?.seenMs ?? 0,
    addedPauseMs: (partition) =>
      (slowest?.pausedMs ?? 0) - (liveness[partition]?.pausedMs ?? slowest?.pausedMs ?? 0),
  };
}

function slowestOf(all: readonly (LivenessShared | undefined)[]): LivenessShared | undefined {
  const known = all.flatMap((one) => one ?? []);
  return known.reduce<LivenessShared | undefined>(
    (slowest, one) => (slowest === undefined || one.seenMs < slowest.seenMs ? one : slowest),
    undefined,
  );
}

/** The least of each number; `undefined` where a partition has none: it begins with all of it. */
function least<T extends object>(all: readonly (T | undefined)[]): T | undefined {
  const known = all.flatMap((one) => one ?? []);
  const [first] = known;
  if (first === undefined || known.length < all.length) return undefined;
  const names = Object.keys(first) as (keyof T)[];
  return Object.fromEntries(
    names.map((name) => [name, Math.min(...known.map((one) => Number(one[name])))]),
  ) as T;
}
