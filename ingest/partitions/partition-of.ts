import type { ProjectId } from "../../domain/ids.ts";

/** FNV-1a, 32 bits (its authors' offset basis and prime). Part of what is stored: never to be changed. */
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** The partition of a project, 0 to `partitions` - 1: the same in every process, for ever. */
export function partitionOf(projectId: ProjectId, partitions: number): number {
  let hash = OFFSET_BASIS;
  // Ids are ASCII (domain/ids.ts), so that a UTF-16 unit is a byte.
  for (let i = 0; i < projectId.length; i += 1) {
    hash = Math.imul(hash ^ projectId.charCodeAt(i), PRIME);
  }
  return (hash >>> 0) % partitions;
}
