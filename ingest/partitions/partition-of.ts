import type { ProjectId } from "../../domain/ids.ts";

/** FNV-1a, 32 bits (its authors' offset basis and prime). Part of what is stored: never to be changed. */
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const RANGE = 2 ** 32;

function hashOf(projectId: ProjectId): number {
  let hash = OFFSET_BASIS;
  // Ids are ASCII (domain/ids.ts), so that a UTF-16 unit is a byte.
  for (let i = 0; i < projectId.length; i += 1) {
    hash = Math.imul(hash ^ projectId.charCodeAt(i), PRIME);
  }
  return hash >>> 0;
}

/** Of MurmurHash3, 32 bits (its finalizer): each bit depends on all. Part of what is stored, too. */
function mixed(hash: number): number {
  let mix = hash;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

/** Odd, and its multiples are far apart (2^32 by the golden ratio). */
const STEP = 0x9e3779b1;

/**
 * The partition of a project in a log that began with `first` partitions and has `partitions` now: the same in every
 * process, for ever. Each partition that was added has taken its share of the projects from those before, so a project
 * only ever moves into a new partition (as in Lamping and Veach, A Fast, Minimal Memory, Consistent Hash Algorithm,
 * arXiv 1406.2294).
 */
export function partitionOf(
  projectId: ProjectId,
  partitions: number,
  first: number = partitions,
): number {
  const hash = hashOf(projectId);
  let place = hash % first;
  for (let added = first; added < partitions; added += 1) {
    if (mixed(hash ^ Math.imul(added, STEP)) * (added + 1) < RANGE) place = added;
  }
  return place;
}
