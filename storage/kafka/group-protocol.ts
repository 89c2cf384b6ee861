/** What a member tells the group of itself, and the group's leader tells a member: JSON, UTF-8. */

/** The name by which members of one kind know each other's messages; a change of theirs needs another one. */
export const GROUP_PROTOCOL = { type: "plumbline", name: "keep-1" } as const;

/** A member with the partitions that it works on now. */
export interface Member {
  readonly id: string;
  readonly has: readonly number[];
  /** Whether it can work on partitions. */
  readonly isAble: boolean;
}

/** Behind the partitions of a member that cannot work; versions before this one read numbers alone. */
const UNABLE = "unable";

export const encodeMember = ({ has, isAble }: Pick<Member, "has" | "isAble">): Buffer =>
  Buffer.from(JSON.stringify(isAble ? has : [...has, UNABLE]));

export const decodeMember = (bytes: Buffer | null | undefined): Pick<Member, "has" | "isAble"> => ({
  has: decodePartitions(bytes),
  isAble: !entriesOf(bytes).includes(UNABLE),
});

export const encodePartitions = (partitions: readonly number[]): Buffer =>
  Buffer.from(JSON.stringify(partitions));

/** Nothing for what is no list of numbers. */
export const decodePartitions = (bytes: Buffer | null | undefined): readonly number[] =>
  entriesOf(bytes).filter((one): one is number => Number.isInteger(one));

function entriesOf(bytes: Buffer | null | undefined): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(bytes?.toString("utf8") ?? "");
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/**
 * Gives every partition to one member, to each that is able as many as to the others or one more; where none is able,
 * as if all were. A member keeps what it has as far as that allows: what goes to another one is loaded there anew.
 */
export function assignPartitions(
  all: readonly Member[],
  partitions: number,
): ReadonlyMap<string, readonly number[]> {
  const able = all.filter(({ isAble }) => isAble);
  const members = able.length > 0 ? able : all;
  const given = new Map<string, number[]>(all.map(({ id }) => [id, []]));
  const free = new Set(Array.from({ length: partitions }, (_, partition) => partition));
  const least = Math.floor(partitions / Math.max(1, members.length));
  // So many members may have one more than the others; those that have more now are asked first.
  let larger = partitions - least * members.length;
  const byLoad = [...members].sort((a, b) => b.has.length - a.has.length || (a.id < b.id ? -1 : 1));
  for (const { id, has } of byLoad) {
    const kept = has.filter((partition) => free.has(partition));
    const most = kept.length > least && larger > 0 ? least + 1 : least;
    if (most > least) larger -= 1;
    const own = kept.slice(0, most);
    for (const partition of own) free.delete(partition);
    given.set(id, own);
  }
  for (const { id } of byLoad) {
    const own = given.get(id) ?? [];
    while (own.length < least) own.push(takeFirst(free));
  }
  for (const { id } of byLoad) {
    const own = given.get(id) ?? [];
    if (larger > 0 && own.length === least) {
      own.push(takeFirst(free));
      larger -= 1;
    }
    own.sort((a, b) => a - b);
  }
  return given;
}

function takeFirst(free: Set<number>): number {
  for (const partition of free) {
    free.delete(partition);
    return partition;
  }
  throw new Error("more partitions are given than there are");
}
