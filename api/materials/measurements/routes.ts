import type { FastifyPluginAsync } from "fastify";
import type { Files } from "../../../storage/open.ts";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import type { NamedUploads } from "../../surveys/image-entries.ts";
import measure from "./measure.ts";
import type { MeasurementLinks } from "./measurement-links.ts";
import type { MeasurementPages } from "./measurement-pages.ts";
import measurementReports from "./measurement-reports.ts";
import measurements from "./measurements.ts";

export interface MeasurementRoutesOptions extends Pick<ApiDependencies, "records" | "now"> {
  /** Absent: nothing can be measured. */
  readonly jobs: ApiDependencies["jobs"] | undefined;
  readonly files: Files;
  readonly links: MeasurementLinks;
  readonly pages: MeasurementPages;
  readonly uploads: NamedUploads | undefined;
}

/** Measurements of stockpiles, and how they are made; mounted at `/api/v1/materials`. */
const measurementRoutes: FastifyPluginAsync<MeasurementRoutesOptions> = async (app, options) => {
  const { records, jobs, files, links, pages, uploads, now } = options;
  const { stockpiles } = records;
  await app.register(measurements, { stockpiles, links });
  await app.register(measurementReports, { stockpiles, links, pages });
  if (jobs === undefined) return;
  await app.register(measure, { records, jobs, files, links, uploads, now });
};

export default measurementRoutes;
