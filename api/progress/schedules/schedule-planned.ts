import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import type { Project } from "../../../domain/project.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { Plan } from "../../../processing/progress/schedule/plan.ts";
import { projectDatesPlan } from "../../../processing/progress/schedule/project-dates-plan.ts";
import { createEventLoopPauses } from "../../../processing/uploads/event-loop-pauses.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { readInstant } from "../../schemas/instant.ts";
import { readTimeRange, TIME_RANGE_PARAMETERS } from "../../schemas/time-range.ts";
import { invalidParameter } from "../../validation/validation.ts";
import type { SchedulePlans, ScheduleRecordsOfProjects } from "./schedule-plans.ts";
import { PlannedProgress, REVISION_PARAMETER, SchedulePath } from "./schedule-schemas.ts";
import { oneDecimal } from "./schedule-view.ts";

export interface SchedulePlannedOptions {
  readonly records: ScheduleRecordsOfProjects;
  readonly directory: AssetDirectory;
  readonly plans: SchedulePlans;
}

/** Most times of one answer: a week each for 7 years. Each is computed for the answer, so more takes longer. */
const MOST_TIMES = 400;
const DEFAULT_INTERVAL_DAYS = 7;

interface PlannedQuery {
  readonly at?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval_days?: number | undefined;
}

/** What a row of the CSV says: of a zone, or with an empty zone of the project. */
interface PlannedRow {
  readonly at: string;
  readonly zone_id: string;
  readonly zone: string;
  readonly planned_percent: number | undefined;
}

const COLUMNS: CsvColumns<PlannedRow> = {
  at: (row) => row.at,
  zone_id: (row) => row.zone_id,
  zone: (row) => row.zone,
  planned_percent: (row) => row.planned_percent,
};

/** Planned percent over time; mounted at `/api/v1/progress`. */
const schedulePlanned: FastifyPluginAsyncTypebox<SchedulePlannedOptions> = async (app, options) => {
  const { records, directory, plans } = options;

  app.get(
    "/projects/:project_id/schedule/planned",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "getPlannedProgress",
        tags: ["progress"],
        summary: "Planned percent of project and zones, at a time or over time",
        description: `By the newest schedule; without one linear between the project's planned dates. With at: at that time. Else every interval_days (default ${DEFAULT_INTERVAL_DAYS}) of 24 h, by default over the whole plan; up to ${MOST_TIMES} times.`,
        params: SchedulePath,
        querystring: Type.Object({
          at: Type.Optional(Type.String({ format: "date-time" })),
          ...TIME_RANGE_PARAMETERS,
          interval_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
          ...REVISION_PARAMETER,
        }),
        response: { 200: jsonOrCsv("Planned percents", PlannedProgress), ...FAILURES },
      },
    },
    async (request, reply) => {
      const project = visibleProject(directory, request, request.params.project_id);
      checkQuery(request.query);
      const { plan, zones, revision } = await planOf(project, request.query.revision);
      const pauses = createEventLoopPauses();
      const data: PlannedProgress["data"] = [];
      for (const atMs of timesOf(request.query, plan)) {
        data.push(plannedAt(plan, zones, atMs));
        const pause = pauses.due();
        if (pause !== undefined) await pause;
      }
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data.flatMap(rowsOf), COLUMNS);
      }
      return reply.send({
        project_id: project.id,
        basis: plan.basis,
        ...(revision === undefined ? {} : { schedule_revision: revision }),
        start: new Date(plan.startMs).toISOString(),
        finish: new Date(plan.finishMs).toISOString(),
        data,
      });
    },
  );

  async function planOf(
    project: Project,
    revision: number | undefined,
  ): Promise<{ plan: Plan; zones: readonly WorkZone[]; revision?: number }> {
    const known = await plans.find(project, revision);
    if (known !== undefined) {
      const { plan, zones, schedule } = known;
      return { plan, zones, revision: schedule.summary.revision };
    }
    const plan = revision === undefined ? projectDatesPlan(project) : undefined;
    if (plan === undefined) {
      throw new DomainError("SCHEDULE_NOT_FOUND", `no plan of the project ${project.id}`);
    }
    const { zones } = await records.workZones.list({ projectIds: [project.id], offset: 0 });
    return { plan, zones };
  }
};

export default schedulePlanned;

/** What is wrong with a query whatever the plan is. @throws ParameterError */
function checkQuery(query: PlannedQuery): void {
  if (query.at !== undefined) {
    readInstant("at", query.at);
    const other = (["from", "to", "interval_days"] as const).find(
      (name) => query[name] !== undefined,
    );
    if (other !== undefined) throw invalidParameter(other, "must not be given with at");
  }
  readTimeRange(query);
}

/** @throws ParameterError where there are too many. */
function timesOf(query: PlannedQuery, plan: Plan): readonly number[] {
  if (query.at !== undefined) return [readInstant("at", query.at)];
  const { fromMs = plan.startMs, toMs = plan.finishMs } = readTimeRange(query);
  if (fromMs > toMs) {
    throw invalidParameter(
      query.from === undefined ? "to" : "from",
      "lies outside of the plan; give both from and to",
    );
  }
  const stepMs = (query.interval_days ?? DEFAULT_INTERVAL_DAYS) * DAY_MS;
  const count = Math.ceil((toMs - fromMs) / stepMs) + 1;
  if (count > MOST_TIMES) {
    const message = `makes ${count} times of it; at most ${MOST_TIMES} are answered`;
    throw invalidParameter("interval_days", message);
  }
  return Array.from({ length: count }, (_, i) => Math.min(toMs, fromMs + i * stepMs));
}

function plannedAt(
  plan: Plan,
  zones: readonly WorkZone[],
  atMs: number,
): PlannedProgress["data"][number] {
  return {
    at: new Date(atMs).toISOString(),
    planned_percent: oneDecimal(plan.plannedPercent(atMs)),
    zones: zones.map(({ id, name }) => {
      const percent = plan.zonePlannedPercent(id, atMs);
      return {
        zone_id: id,
        name,
        ...(percent === undefined ? {} : { planned_percent: oneDecimal(percent) }),
      };
    }),
  };
}

function rowsOf({ at, planned_percent, zones }: PlannedProgress["data"][number]): PlannedRow[] {
  return [
    { at, zone_id: "", zone: "", planned_percent },
    ...zones.map((zone) => ({
      at,
      zone_id: zone.zone_id,
      zone: zone.name,
      planned_percent: zone.planned_percent,
    })),
  ];
}
