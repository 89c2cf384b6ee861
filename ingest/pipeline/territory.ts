import type { ProjectId } from "../../domain/ids.ts";
import type { NodeCommit } from "../../storage/ports/pipeline.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { HandedOver } from "../journal-record/handed-over.ts";
import type { KnownAssets, Stage } from "../stages/stage.ts";
import type { AssetTrack } from "../track/asset-track.ts";

/** One of several pipelines: that of a partition, with the projects that belong there. */
export interface PipelineShare extends NodeCommit {
  readonly partition: number;
  readonly partitionOf: (projectId: ProjectId) => number;
  /** Puts a record into the partition of that project; resolves once it is durable there. */
  readonly passOn: (projectId: ProjectId, record: HandedOver) => Promise<void>;
  /** What the partitions that had its projects before have shared, by name; none where there were no such. */
  readonly inherited: readonly ReadonlyMap<string, string>[];
}

/** What one pipeline processes, for its whole life: all projects, or those of a partition. */
export interface Territory {
  /** In front of the names of its shared states; "" where it is everything. */
  readonly prefix: string;
  /** In the order of processing. What they remember concerns these projects alone. */
  readonly stages: readonly Stage[];
  owns(projectId: ProjectId): boolean;
  /** `undefined`: there is no other pipeline. */
  readonly share: PipelineShare | undefined;
}

/** Everything: there is no other pipeline. */
export function wholeTerritory(stages: readonly Stage[]): Territory {
  return { prefix: "", stages, owns: () => true, share: undefined };
}

/** The territory of one of several pipelines; without a share, everything. */
export function territoryOf(share: PipelineShare | undefined, stages: readonly Stage[]): Territory {
  if (share === undefined) return wholeTerritory(stages);
  const { partition, partitionOf } = share;
  const owns = (projectId: ProjectId): boolean => partitionOf(projectId) === partition;
  return { prefix: partitionPrefix(partition), stages, owns, share };
}

/** In front of the names of what the stages of a partition share. */
export const partitionPrefix = (partition: number): string => `partition/${partition}/`;

/** The projects of a territory; `undefined`: all there are. */
export function ownProjects(
  { share, owns }: Territory,
  directory: Pick<AssetDirectory, "projects">,
): readonly ProjectId[] | undefined {
  if (share === undefined) return undefined;
  return Array.from(directory.projects(), ({ id }) => id).filter(owns);
}

/** The tracks of its assets, which may be walked through more than once; a deleted asset belongs where it was last. */
export function ownTracks(
  { share, owns }: Territory,
  tracks: Iterable<AssetTrack>,
  directory: Pick<AssetDirectory, "find">,
): Iterable<AssetTrack> {
  if (share === undefined) return tracks;
  return [...tracks].filter(({ assetId, projectId }) =>
    owns(directory.find(assetId)?.project.id ?? projectId),
  );
}

/** The directory without the assets of other territories. */
export function ownAssets({ share, owns }: Territory, directory: KnownAssets): KnownAssets {
  if (share === undefined) return directory;
  return {
    project: (projectId) => directory.project(projectId),
    entries: () => [...directory.entries()].filter(({ project }) => owns(project.id)),
    find(assetId) {
      const entry = directory.find(assetId);
      return entry !== undefined && owns(entry.project.id) ? entry : undefined;
    },
  };
}

/**
 * What was shared under that name at the last commit, by whichever process. Where a partition has nothing yet it goes
 * on from what it inherits, or from what was shared when one process had everything.
 */
export function sharedState(
  { prefix, share }: Territory,
  shared: ReadonlyMap<string, string>,
  name: string,
  merge: (states: readonly string[]) => string,
): string | undefined {
  const own = shared.get(prefix + name);
  if (own !== undefined) return own;
  const states = (share?.inherited ?? []).flatMap((one) => one.get(name) ?? []);
  return states.length > 0 ? merge(states) : shared.get(name);
}

/** Gives the stages what was shared at the last commit. */
export function restoreStages(territory: Territory, shared: ReadonlyMap<string, string>): void {
  for (const stage of territory.stages) {
    if (stage.restore === undefined) continue;
    const merge = stage.merge ?? onlyOne;
    const state = sharedState(territory, shared, stage.name, merge);
    if (state !== undefined) stage.restore(state, territory.owns);
  }
}

/** A stage that shares something that concerns no project in particular needs no more than one of several. */
const onlyOne = ([state = ""]: readonly string[]): string => state;
