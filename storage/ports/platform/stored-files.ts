import type { ProjectId } from "../../../domain/ids.ts";

/** What a project has stored, and may. */
export interface ProjectStorage {
  readonly projectId: ProjectId;
  readonly bytes: number;
  readonly files: number;
  /** Of this project; `undefined`: the installation's. */
  readonly limitBytes: number | undefined;
}

/** What was set for a project; what it has stored is not of it. */
export type StorageLimit = Pick<ProjectStorage, "limitBytes">;

/** One file, as it is counted. */
export interface CountedFile {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Which project each stored file belongs to, and the sums, as rows: they survive kills, and cost one row to
 * read. `reconcileFiles` corrects a file that is in the store and not here, or the reverse.
 */
export interface StoredFiles {
  /**
   * Counts a file, in the place of an earlier one of that key. Absent `projectId`: of the project that the
   * folder of the key belongs to (`stockpiles/{id}/...` and its like), or of none.
   */
  put(file: CountedFile, projectId?: ProjectId): Promise<void>;
  /** As `put`, of a file that is not counted yet; nothing where it is. */
  adopt(file: CountedFile): Promise<void>;
  /** Gives its bytes back. Nothing where it is not counted. */
  remove(key: string): Promise<void>;
  /** The project that the folder of a key belongs to; `undefined`: none. */
  ownerOf(key: string): Promise<ProjectId | undefined>;
  /** 0 bytes for a project that has stored nothing. */
  usage(projectId: ProjectId): Promise<ProjectStorage>;
  /** Every project that has stored something, or has a limit of its own; by id. */
  usages(): Promise<readonly ProjectStorage[]>;
  /**
   * Replaces the limit of a project by what `change` makes of it; `undefined`: the installation's again. Changes of one
   * project run one after the other; what `change` throws leaves all as it was.
   */
  updateLimit(projectId: ProjectId, change: (before: StorageLimit) => StorageLimit): Promise<void>;
  /** Files of the file store with a key after this one, by rising key (in bytes). */
  page(afterKey: string, limit: number): Promise<readonly CountedFile[]>;
  /** Counts the plans of schedules that are not counted yet: they are rows, and may be 20 MiB each. */
  adoptSchedules(): Promise<void>;
}
