import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { ReportId, WorkZoneId } from "../../../domain/ids.ts";
import {
  CHANGE_BASES,
  type FigureChange,
  reportChanges,
} from "../../../processing/progress/report/report-changes.ts";
import type { ProgressReportRecords } from "../../../storage/ports/sites/progress-reports.ts";
import { visibleReport } from "../../access/record-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { Interval95 } from "../../schemas/interval.ts";
import { orNull } from "../../schemas/or-null.ts";
import { Timestamp } from "../../schemas/timestamp.ts";
import { ReportPath } from "./report-schemas.ts";

export interface ReportChangesOptions {
  readonly reports: Pick<ProgressReportRecords, "find" | "list">;
}

const Change = Type.Object(
  {
    before: orNull(Type.Number({ description: "Percent; null: not known" })),
    after: orNull(Type.Number()),
    difference: orNull(Type.Number({ description: "Points; null: not compared" })),
    interval_95: Interval95,
    is_significant: orNull(Type.Boolean({ description: "interval_95 leaves 0 out" })),
  },
  { title: "FigureChange" },
);

const ReportChanges = Type.Object(
  {
    report_id: ReportId,
    since: orNull(
      Type.Object(
        { report_id: ReportId, capture_date: Timestamp },
        { description: "null: it is the first one" },
      ),
    ),
    project: orNull(Change),
    zones: Type.Array(
      Type.Object({
        zone_id: WorkZoneId,
        name: Type.String(),
        basis: Type.Enum([...CHANGE_BASES]),
        change: Change,
        before_as_of: orNull(Timestamp),
        after_as_of: orNull(Timestamp),
      }),
    ),
  },
  { title: "ReportChanges" },
);

/** What changed from one report to the next; mounted at `/api/v1/progress`. */
const reportChangeReads: FastifyPluginAsyncTypebox<ReportChangesOptions> = async (
  app,
  { reports },
) => {
  app.get(
    "/reports/:report_id/changes",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "getReportChanges",
        tags: ["progress"],
        summary: "What changed since the report before, by zone",
        description: "A zone that was not seen again has no difference.",
        params: ReportPath,
        response: { 200: ReportChanges, ...FAILURES },
      },
    },
    async (request) => {
      const { report } = await visibleReport(reports, request, request.params.report_id);
      const { id: report_id, capture_date } = report;
      const { reports: found } = await reports.list({
        projectId: report.project_id,
        toMs: Date.parse(capture_date),
        limit: 1,
        offset: 0,
      });
      const [before] = found;
      if (before === undefined) {
        return { report_id, since: null, project: null, zones: [] };
      }
      const { project, zones } = reportChanges(before, report);
      return {
        report_id,
        since: { report_id: before.id, capture_date: before.capture_date },
        project: viewOf(project),
        zones: zones.map(({ zone_id, name, basis, before_as_of, after_as_of, change }) => ({
          ...{ zone_id, name, basis, before_as_of, after_as_of },
          change: viewOf(change),
        })),
      };
    },
  );
};

/** Answers have arrays that may be written to. */
const viewOf = ({ interval_95, ...change }: FigureChange): Static<typeof Change> => ({
  ...change,
  interval_95: interval_95 === null ? null : [...interval_95],
});

export default reportChangeReads;
