import type { FastifyPluginAsync } from "fastify";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { DRAW_ZONE_PLAN } from "../../../processing/progress/report/zone-plan/tasks.ts";
import type { Files } from "../../../storage/open.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { RunTask } from "../../dependencies/dependencies.ts";
import type { ProgressLinks } from "../../representations/progress-links.ts";
import reportChangeReads from "./report-changes.ts";
import reportCorrections from "./report-corrections.ts";
import reportDocuments from "./report-documents.ts";
import type { ReportPages } from "./report-pages.ts";
import reportReads from "./report-reads.ts";

export interface ReportsOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly files: Files;
  readonly links: ProgressLinks;
  readonly pages: ReportPages;
  readonly feed: EventFeed;
  /** Absent: reports cannot be corrected. */
  readonly runTask: RunTask | undefined;
  readonly now: () => number;
}

/** Progress reports; mounted at `/api/v1/progress`. */
const reports: FastifyPluginAsync<ReportsOptions> = async (app, options) => {
  const { records, directory, files, links, pages, feed, runTask, now } = options;
  const { progressReports } = records;
  await app.register(reportReads, { reports: progressReports, directory, links });
  await app.register(reportChangeReads, { reports: progressReports });
  await app.register(reportDocuments, { reports: progressReports, links, pages });
  if (runTask === undefined) return;
  await app.register(reportCorrections, {
    records,
    tools: {
      ...records,
      files: files.store,
      drawZonePlan: (input, signal) => runTask(DRAW_ZONE_PLAN, input, signal),
    },
    ...{ links, feed, now },
  });
};

export default reports;
