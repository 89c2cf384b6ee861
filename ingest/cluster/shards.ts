import type { ProjectId } from "../../domain/ids.ts";

/** FNV-1a, 32 bits (its authors' offset basis and prime). Part of what is stored: never to be changed. */
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** The shard of a project, 0 to `shards` - 1: the same on every node, for ever. */
export function shardOf(projectId: ProjectId, shards: number): number {
  let hash = OFFSET_BASIS;
  // Ids are ASCII (domain/ids.ts), so that a UTF-16 unit is a byte.
  for (let i = 0; i < projectId.length; i += 1) {
    hash = Math.imul(hash ^ projectId.charCodeAt(i), PRIME);
  }
  return (hash >>> 0) % shards;
}

const PREFIX = "shard/";

export const shardLeaseName = (shard: number): string => `${PREFIX}${shard}`;

/** The shard of a lease of that name. */
export const shardOfLease = (name: string): number => Number(name.slice(PREFIX.length));
