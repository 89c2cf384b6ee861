import { DomainError } from "../../../domain/errors.ts";
import type { ProjectId } from "../../../domain/ids.ts";
import type { Schedule } from "../../../domain/sites/schedule.ts";
import type { ScheduleRecords } from "../../../storage/ports/sites/schedules.ts";
import { type MemoryRows, pageOfRows, throughJson } from "./rows.ts";

/** Imported schedules in memory. */
export function createMemorySchedules({ projects, schedules }: MemoryRows): ScheduleRecords {
  /** Newest first. */
  const of = (projectId: ProjectId): readonly Schedule[] =>
    schedules.filter(({ summary }) => summary.project_id === projectId).reverse();

  return {
    async add(projectId, sha256, make) {
      if (!projects.has(projectId)) throw new DomainError("PROJECT_NOT_FOUND", projectId);
      const [newest] = of(projectId);
      if (newest?.summary.sha256 === sha256) return { summary: newest.summary, isNew: false };
      const schedule = make((newest?.summary.revision ?? 0) + 1);
      schedules.push(throughJson(schedule));
      return { summary: schedule.summary, isNew: true };
    },
    summary: async (projectId, revision) =>
      of(projectId).find(({ summary }) => revision === undefined || summary.revision === revision)
        ?.summary,
    find: async (id) => schedules.find(({ summary }) => summary.id === id),
    async list(projectId, page) {
      const all = of(projectId).map(({ summary }) => summary);
      return { schedules: pageOfRows(all, page), total: all.length };
    },
  };
}
