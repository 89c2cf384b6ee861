import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { sendCsv } from "../../representations/send-list.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { noteState } from "../../writes/resource-tag.ts";
import type { SchedulePlans, ScheduleRecordsOfProjects } from "./schedule-plans.ts";
import {
  REVISION_PARAMETER,
  ScheduleDetail,
  SchedulePath,
  ScheduleRevisionList,
} from "./schedule-schemas.ts";
import { REVISION_COLUMNS, revisionView, scheduleView } from "./schedule-view.ts";

/** The order of the list. */
const ORDER = sortedBy("-revision");

export interface ScheduleReadsOptions {
  readonly records: ScheduleRecordsOfProjects;
  readonly directory: AssetDirectory;
  readonly plans: SchedulePlans;
  readonly now: () => number;
}

/** Imported schedules of a project; mounted at `/api/v1/progress`. */
const scheduleReads: FastifyPluginAsyncTypebox<ScheduleReadsOptions> = async (app, options) => {
  const { records, directory, plans, now } = options;

  app.get(
    "/projects/:project_id/schedule",
    {
      config: { access: "progress:read", tagged: true },
      schema: {
        operationId: "getSchedule",
        tags: ["progress"],
        summary: "The newest schedule, its planned percent now, and how its activities match zones",
        params: SchedulePath,
        querystring: Type.Object(REVISION_PARAMETER),
        response: { 200: ScheduleDetail, ...FAILURES },
      },
    },
    async (request) => {
      const project = visibleProject(directory, request, request.params.project_id);
      const known = await plans.get(project, request.query.revision);
      noteState(request, { revision: known.schedule.summary.revision });
      return scheduleView(known, project.time_zone, now());
    },
  );

  app.get(
    "/projects/:project_id/schedule/revisions",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "listScheduleRevisions",
        tags: ["progress"],
        summary: "Imported schedules of a project, newest first",
        params: SchedulePath,
        querystring: Type.Object(ORDER.parameters),
        response: { 200: jsonOrCsv("Revisions", ScheduleRevisionList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const page = ORDER.pageOf(request.query);
      const project = visibleProject(directory, request, request.params.project_id);
      const found = await records.schedules.list(project.id, page);
      const data = found.schedules.map((summary) => revisionView(summary, project.time_zone));
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data, REVISION_COLUMNS);
      }
      const pagination = paginationOf(page, data.length, found.total);
      return reply.send({ data, pagination });
    },
  );
};

export default scheduleReads;
