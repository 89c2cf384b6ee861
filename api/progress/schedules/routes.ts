import type { FastifyPluginAsync } from "fastify";
import type { DiskSpace } from "../../../storage/disk/disk-space.ts";
import type { ProjectQuota } from "../../../storage/quota/quota.ts";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import progressCurve from "./progress-curve.ts";
import scheduleImport from "./schedule-import.ts";
import schedulePlanned from "./schedule-planned.ts";
import { createSchedulePlans } from "./schedule-plans.ts";
import scheduleReads from "./schedule-reads.ts";

export interface ScheduleRoutesOptions
  extends Pick<ApiDependencies, "records" | "directory" | "now"> {
  /** Admits the rows, where the records are on a disk of ours. */
  readonly recordsDisk: DiskSpace;
  readonly quota: ProjectQuota;
}

/** Schedules of projects, and what they plan; mounted at `/api/v1/progress`. */
const scheduleRoutes: FastifyPluginAsync<ScheduleRoutesOptions> = async (app, options) => {
  const { records, directory, recordsDisk, quota, now } = options;
  const schedules = { records, directory, plans: createSchedulePlans(records), now };
  const { storedFiles } = records;
  await app.register(scheduleImport, { ...schedules, recordsDisk, storedFiles, quota });
  await app.register(scheduleReads, schedules);
  await app.register(schedulePlanned, schedules);
  await app.register(progressCurve, { ...schedules, reports: records.progressReports });
};

export default scheduleRoutes;
