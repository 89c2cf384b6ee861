import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { ProjectId } from "../../domain/ids.ts";
import { isoTime } from "../../domain/iso-time.ts";
import type { Scope } from "../../domain/platform/api-key.ts";
import { stockpileStatus } from "../../domain/sites/stockpile.ts";
import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { visibleFleet, visibleProjects } from "../access/asset-access.ts";
import { principal } from "../auth/guard.ts";
import { needsOneOf } from "../auth/needs-one-of.ts";
import { hasScope, seesProject } from "../auth/principal.ts";
import { FAILURES } from "../errors/error.ts";
import { listedReportView } from "../progress/reports/report-view.ts";
import { equipmentCounts } from "./equipment-counts.ts";
import { Overview } from "./overview-schemas.ts";

export interface OverviewOptions {
  readonly records: Pick<RecordStore, "alerts" | "captures" | "progressReports" | "stockpiles">;
  readonly directory: AssetDirectory;
  readonly live: LiveAssets;
  readonly now: () => number;
}

/** Most projects whose newest reports are in one answer: some 300 bytes each, and a look into an index. */
const MOST_REPORTS = 100;
const SCOPES = [
  "equipment:read",
  "materials:read",
  "progress:read",
] as const satisfies readonly Scope[];

/** Counts of machines, alerts, stockpiles, captures and reports in one answer; mounted at `/api/v1`. */
const overview: FastifyPluginAsyncTypebox<OverviewOptions> = async (app, options) => {
  const { records, directory, live, now } = options;

  app.get(
    "/overview",
    {
      config: { access: "any key" },
      onRequest: needsOneOf(...SCOPES),
      schema: {
        operationId: "getOverview",
        tags: ["platform"],
        summary: "Counts of a project, or of all that the key may see",
        description: "A part whose scope the key lacks is null.",
        querystring: Type.Object({ project_id: Type.Optional(ProjectId) }),
        response: { 200: Overview, ...FAILURES },
      },
    },
    async (request) => {
      const { project_id } = request.query;
      const seen = visibleProjects(directory, request, project_id);
      const projects = projectsOf(request, project_id);
      const key = principal(request);
      const ifSeen = async <T>(scope: Scope, count: () => Promise<T>): Promise<T | null> =>
        hasScope(key, scope) ? await count() : null;
      const nowMs = now();
      return {
        as_of: isoTime(nowMs),
        projects: projects.length,
        equipment: await ifSeen("equipment:read", () => {
          const fleet = visibleFleet(directory, request).filter(
            ({ asset }) => project_id === undefined || asset.project_id === project_id,
          );
          return equipmentCounts(fleet, live, records.alerts, seen, nowMs);
        }),
        materials: await ifSeen("materials:read", () => materialCounts(seen)),
        progress: await ifSeen("progress:read", () => progressCounts(seen, projects)),
      };
    },
  );

  /** Ids of the projects that the answer is about, ascending. */
  function projectsOf(request: FastifyRequest, asked: ProjectId | undefined): readonly ProjectId[] {
    if (asked !== undefined) return [asked];
    const key = principal(request);
    return Array.from(directory.projects(), ({ id }) => id)
      .filter((id) => seesProject(key, id))
      .sort();
  }

  async function materialCounts(
    seen: ReturnType<typeof visibleProjects>,
  ): Promise<NonNullable<Overview["materials"]>> {
    const { stockpiles, total } = await records.stockpiles.list({ ...seen, offset: 0 });
    const status = { empty: 0, low: 0, adequate: 0, full: 0 };
    let unknown = 0;
    for (const stockpile of stockpiles) {
      if (stockpile.volume_basis === "none") unknown += 1;
      else status[stockpileStatus(stockpile, stockpile.current_volume_m3)] += 1;
    }
    return { stockpiles: total, status, unknown };
  }

  async function progressCounts(
    seen: ReturnType<typeof visibleProjects>,
    projects: readonly ProjectId[],
  ): Promise<NonNullable<Overview["progress"]>> {
    const page = { limit: 1, offset: 0 };
    const { total } = await records.captures.list({ ...seen, states: ["processing"], ...page });
    const reports = await records.progressReports.newest(projects.slice(0, MOST_REPORTS));
    return {
      captures_processing: total,
      reports: reports.map(listedReportView),
      reports_complete: projects.length <= MOST_REPORTS,
    };
  }
};

export default overview;
