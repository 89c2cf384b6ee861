import type { ProjectId } from "../../domain/ids.ts";
import type { NodeCommit } from "../../storage/ports/pipeline.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { Stage } from "../stages/stage.ts";

/** Projects whose shared state stays together: all of them, or those of one shard. */
export interface Part {
  /** In front of the names of its shared states; "" where there is only one part. */
  readonly prefix: string;
  /** In the order of processing. What they remember concerns this part alone. */
  readonly stages: readonly Stage[];
}

/**
 * What one pipeline processes, for its whole life. Several ingest nodes each have some of the shards;
 * what stages remember beside their assets is kept by shard, so that it goes with the shard to another
 * node.
 */
export interface Territory {
  readonly parts: readonly Part[];
  /** `undefined`: another node processes the project. */
  partOf(projectId: ProjectId): Part | undefined;
  /** The shard of a project that another node processes. */
  shardOf(projectId: ProjectId): number;
  /** The node that makes these commits; `undefined`: the only one. */
  readonly node: Pick<NodeCommit, "id" | "leases"> | undefined;
}

/** One of several ingest nodes, as its pipeline knows it. */
export interface PipelineNode extends Pick<NodeCommit, "id" | "leases"> {
  readonly shards: readonly number[];
  readonly shardOf: (projectId: ProjectId) => number;
}

/** Everything, in one part: there is no other node. */
export function wholeTerritory(stages: readonly Stage[]): Territory {
  const part = { prefix: "", stages };
  return { parts: [part], partOf: () => part, shardOf: () => 0, node: undefined };
}

/** The territory of a node: each of its shards is a part with stages of its own. */
export function territoryOf(
  node: PipelineNode | undefined,
  createStages: () => readonly Stage[],
): Territory {
  if (node === undefined) return wholeTerritory(createStages());
  const { id, leases, shards, shardOf } = node;
  const parts = new Map<number, Part>();
  for (const shard of shards) {
    parts.set(shard, { prefix: `shard/${shard}/`, stages: createStages() });
  }
  return {
    parts: [...parts.values()],
    partOf: (projectId) => parts.get(shardOf(projectId)),
    shardOf,
    node: { id, leases },
  };
}

/** The projects of a territory; `undefined`: all there are. */
export function ownProjects(
  { node, partOf }: Territory,
  directory: Pick<AssetDirectory, "projects">,
): readonly ProjectId[] | undefined {
  if (node === undefined) return undefined;
  return Array.from(directory.projects(), ({ id }) => id).filter((id) => partOf(id) !== undefined);
}

/**
 * Gives the stages what was shared at the last commit of their part, by whichever node. A part that has
 * nothing yet goes on from what was shared when there was one part: the broker was the embedded one then.
 */
export function restoreParts(
  { parts, partOf }: Territory,
  shared: ReadonlyMap<string, string>,
): void {
  for (const part of parts) {
    for (const stage of part.stages) {
      const state = shared.get(part.prefix + stage.name) ?? shared.get(stage.name);
      if (state !== undefined) stage.restore?.(state, (projectId) => partOf(projectId) === part);
    }
  }
}
