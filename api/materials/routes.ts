import type { FastifyPluginAsync } from "fastify";
import type { ApiDependencies } from "../dependencies/dependencies.ts";
import type { ReportPrinter } from "../representations/report-printer.ts";
import type { NamedUploads } from "../surveys/image-entries.ts";
import { createMeasurementLinks } from "./measurements/measurement-links.ts";
import measurementPageFiles from "./measurements/measurement-page-files.ts";
import { createMeasurementPages } from "./measurements/measurement-pages.ts";
import measurementRoutes from "./measurements/routes.ts";
import reconciliation from "./reconciliation/routes.ts";
import stockpileRoutes from "./stockpiles/routes.ts";

/** The routes of stockpiles: `pages` open by signed addresses at `/`, `routes` belong at `/api/v1/materials`. */
export function materialRoutes(
  deps: ApiDependencies,
  printer: ReportPrinter,
  uploads: NamedUploads | undefined,
): { readonly pages: FastifyPluginAsync; readonly routes: FastifyPluginAsync } {
  const { records, telemetry, files, jobs, retentionDays, now } = deps;
  const { projects, stockpiles } = records;
  const links = files && createMeasurementLinks(files, now);
  const parts = files &&
    links && {
      files,
      links,
      pages: createMeasurementPages({ projects, stockpiles }, files.store, links, printer),
    };
  return {
    async pages(app) {
      if (parts !== undefined) await app.register(measurementPageFiles, { stockpiles, ...parts });
    },
    async routes(app) {
      await app.register(stockpileRoutes, deps);
      await app.register(reconciliation, { records, telemetry, retentionDays, now });
      if (parts !== undefined) {
        await app.register(measurementRoutes, { ...parts, records, jobs, uploads, now });
      }
    },
  };
}
