import type { ProjectId, ScheduleId } from "../../../domain/ids.ts";
import type { Schedule, ScheduleSummary } from "../../../domain/sites/schedule.ts";

/** Imported schedules; none is ever changed. */
export interface ScheduleRecords {
  /**
   * Stores what `make` makes of the next revision's number. The same file (SHA-256) as the newest
   * revision of the project is not stored again: that revision is yielded instead.
   * @throws DomainError `PROJECT_NOT_FOUND`.
   */
  add(
    projectId: ProjectId,
    sha256: string,
    make: (revision: number) => Schedule,
  ): Promise<{ readonly summary: ScheduleSummary; readonly isNew: boolean }>;
  /** The newest revision, or the one of that number, without its tasks. */
  summary(projectId: ProjectId, revision?: number): Promise<ScheduleSummary | undefined>;
  /** Whole: up to 50,000 tasks. */
  find(id: ScheduleId): Promise<Schedule | undefined>;
  /** Newest first. */
  list(
    projectId: ProjectId,
    page: {
      /** From its other end. */
      readonly isReversed?: boolean;
      readonly limit: number;
      readonly offset: number;
    },
  ): Promise<{ readonly schedules: readonly ScheduleSummary[]; readonly total: number }>;
}
