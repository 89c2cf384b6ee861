import type { ProjectId } from "../../domain/ids.ts";
import type { StoredLayouts } from "../../storage/ports/platform/log-layouts.ts";
import { partitionOf } from "./partition-of.ts";

/**
 * How the projects of a log were and are spread over its partitions. Versions count from 1. The newest one is settled
 * when all partitions of the one before have handed over; the next is made only then. So a partition is in the newest
 * version or the one before.
 */
export class Layouts {
  readonly #stored: StoredLayouts;
  /** Partitions that have not handed over to the newest version. */
  readonly waitedFor: readonly number[];

  constructor(stored: StoredLayouts) {
    this.#stored = stored;
    const before = stored.partitions.at(-2) ?? 0;
    this.waitedFor = Array.from({ length: before }, (_, partition) => partition).filter(
      (partition) => !stored.handedOver.has(partition),
    );
  }

  get newest(): number {
    return this.#stored.partitions.length;
  }

  /** Partitions that have projects in a version. */
  partitionsIn(version: number): number {
    const partitions = this.#stored.partitions[version - 1];
    if (partitions === undefined) throw new RangeError(`the log has no layout ${version}`);
    return partitions;
  }

  get isSettled(): boolean {
    return this.waitedFor.length === 0;
  }

  /** Whether no process puts records where an older version has them. */
  get isWritten(): boolean {
    const { oldestWritten } = this.#stored;
    return oldestWritten === undefined || oldestWritten >= this.newest;
  }

  /** The partition of a project in a version. */
  placeIn(version: number, projectId: ProjectId): number {
    return partitionOf(projectId, this.partitionsIn(version), this.partitionsIn(1));
  }

  /** Where a project is, or is about to be, until the newest version is settled. */
  homesOf(projectId: ProjectId): readonly number[] {
    const home = this.placeIn(this.newest, projectId);
    if (this.isSettled) return [home];
    return [...new Set([this.placeIn(this.newest - 1, projectId), home])];
  }

  /** The version that a partition's pipeline goes by. */
  versionOf(partition: number): number {
    const { newest } = this;
    const isOlder = newest > 1 && partition < this.partitionsIn(newest - 1);
    return isOlder && !this.#stored.handedOver.has(partition) ? newest - 1 : newest;
  }

  /** The first version in which the partition has projects. */
  beginningOf(partition: number): number {
    return this.#stored.partitions.findIndex((partitions) => partition < partitions) + 1;
  }

  /**
   * Whether the partition may be worked on: one that was added waits until those before have handed over, one that no
   * version has yet waits for that version.
   */
  mayWork(partition: number): boolean {
    if (partition >= this.partitionsIn(this.newest)) return false;
    return this.beginningOf(partition) < this.newest || this.isSettled;
  }
}
