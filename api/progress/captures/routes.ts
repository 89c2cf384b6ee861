import type { FastifyPluginAsync } from "fastify";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { Files } from "../../../storage/open.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { JobDependencies } from "../../dependencies/dependencies.ts";
import { createJobForecast } from "../../job-views/job-forecast.ts";
import type { ProgressLinks } from "../../representations/progress-links.ts";
import type { NamedUploads } from "../../surveys/image-entries.ts";
import captureReads from "./capture-reads.ts";
import { createCaptureStatuses } from "./capture-status.ts";
import { CaptureViews } from "./capture-view.ts";
import captureWrites from "./capture-writes.ts";

export interface CapturesOptions {
  readonly records: Pick<
    RecordStore,
    "captures" | "jobs" | "siteCameras" | "workZones" | "transaction"
  >;
  readonly directory: AssetDirectory;
  readonly jobs: JobDependencies;
  readonly files: Pick<Files, "keyOf">;
  readonly links: ProgressLinks;
  readonly uploads: NamedUploads | undefined;
  readonly now: () => number;
}

/** Captures; mounted at `/api/v1/progress`. */
const captures: FastifyPluginAsync<CapturesOptions> = async (app, options) => {
  const { records, directory, jobs, links, now } = options;
  const forecast = createJobForecast(records.jobs, jobs.jobsAtOnce, now);
  const statuses = createCaptureStatuses(records.captures, records.jobs, now);
  const views = new CaptureViews(forecast, links, now);
  await app.register(captureReads, { captures: records.captures, directory, statuses, views });
  await app.register(captureWrites, { ...options, forecast, statuses, views });
};

export default captures;
