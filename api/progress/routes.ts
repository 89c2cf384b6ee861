import type { FastifyPluginAsync } from "fastify";
import { BOUNDLESS_DISK } from "../../storage/disk/disk-space.ts";
import { NO_QUOTA } from "../../storage/quota/quota.ts";
import type { ApiDependencies } from "../dependencies/dependencies.ts";
import { createProgressLinks } from "../representations/progress-links.ts";
import type { ReportPrinter } from "../representations/report-printer.ts";
import type { NamedUploads } from "../surveys/image-entries.ts";
import cameraRoutes from "./cameras/routes.ts";
import captures from "./captures/routes.ts";
import images from "./images/routes.ts";
import progressPageFiles from "./reports/progress-page-files.ts";
import { createReportPages } from "./reports/report-pages.ts";
import reports from "./reports/routes.ts";
import scheduleRoutes from "./schedules/routes.ts";
import zones from "./zones/routes.ts";

/** The routes of progress: `pages` open by signed addresses at `/`, `routes` belong at `/api/v1/progress`. */
export function progressRoutes(
  deps: ApiDependencies,
  printer: ReportPrinter,
  named: NamedUploads | undefined,
): { readonly pages: FastifyPluginAsync; readonly routes: FastifyPluginAsync } {
  const { records, directory, files, uploads, jobs, feed, runTask, now } = deps;
  const { recordsDisk = BOUNDLESS_DISK } = deps;
  const { quota } = files ?? { quota: NO_QUOTA };
  const links = files && createProgressLinks(files, now);
  const parts = files &&
    links && { files, links, pages: createReportPages(records, files.store, links, now) };
  return {
    async pages(app) {
      if (parts === undefined) return;
      const { captures, progressReports: reports } = records;
      await app.register(progressPageFiles, { ...parts, captures, reports, printer });
    },
    async routes(app) {
      if (uploads !== undefined) {
        await app.register(images, { uploads, directory, quota, now });
      }
      await app.register(scheduleRoutes, { records, directory, recordsDisk, quota, now });
      await app.register(zones, { records, directory, files, links, now });
      if (parts === undefined) return;
      const options = { ...parts, records, directory, now };
      await app.register(reports, { ...options, feed, runTask });
      await app.register(cameraRoutes, { ...options, jobs });
      if (jobs !== undefined) await app.register(captures, { ...options, jobs, uploads: named });
    },
  };
}
