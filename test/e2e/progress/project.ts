import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "../../../api/progress/reports/report-schemas.ts";
import type { PlannedProgress } from "../../../api/progress/schedules/schedule-schemas.ts";
import { PROJECT_DEFAULTS } from "../../../simulators/project/plan/options.ts";
import type { TrueWeek } from "../../../simulators/project/truth/project-truth.ts";
import { type ProjectSet, projectSet } from "../../support/project-sets.ts";
import { type Check, type CheckContext, seconds } from "./check.ts";
import {
  checkPercents,
  checkRefusals,
  checkReports,
  checkStatuses,
  PLANNED_POINTS,
  type ProjectStatus,
  type Row,
} from "./project-checks.ts";
import {
  captureUntil,
  made,
  openSiteService,
  reportOf,
  type SiteService,
  sendCapture,
} from "./site-service.ts";

/** Schedules of one plan, with the type that they are sent as; the last one stays. */
const SCHEDULES = [
  ["schedule.csv", "text/csv"],
  ["schedule.xml", "application/xml"],
  ["schedule.xer", "application/octet-stream"],
] as const;

/** A site that is built over months, flown over each week, as a client sees it (issue, Must show 1). */
export const project: Check = {
  name: "project",
  about: "weekly flights over a simulated project, zone by zone against its truth",
  async run(context) {
    const { weeks, projects, firstProject, expect, print } = context;
    await using site = await openSiteService();
    const rows: Row[] = [];
    const statuses: ProjectStatus[] = [];
    for (let seed = firstProject; seed < firstProject + projects; seed += 1) {
      const id = seed === PROJECT_DEFAULTS.seed ? PROJECT_DEFAULTS.project : `site-${seed}`;
      const set = await projectSet({ weeks, cameras: 0, seed, project: id });
      await createProject(site, set);
      await plannedByEachFormat(context, site, set);
      const reports: Report[] = [];
      for (const week of set.truth.weeks) {
        const sinceMs = performance.now();
        const report = await flyWeek(site, set, week);
        reports.push(report);
        statuses.push({ seed, week, report });
        for (const zone of set.truth.zones) {
          const reported = report.zones.find(({ zone_id }) => zone_id === zone.id);
          const truth = week.zones[zone.id]?.percent;
          if (reported === undefined || truth === undefined) throw new Error(`no zone ${zone.id}`);
          rows.push({ zone, week, reported, truth });
        }
        print(
          `project ${seed}, week ${week.week}, ${seconds(performance.now() - sinceMs)}: ${weekText(rows, week)}`,
        );
      }
      checkReports(context, set, reports);
      expect(
        "each week has one report, newest first in the list",
        (await listedIds(site, set)).join() ===
          reports
            .map(({ id: reportId }) => reportId)
            .reverse()
            .join(),
        reports.at(-1)?.id,
      );
    }
    checkPercents(context, rows);
    checkRefusals(context, rows);
    await checkStatuses(context, site, statuses);
    return undefined;
  },
};

async function createProject({ client }: SiteService, set: ProjectSet): Promise<void> {
  const json = async (name: string) =>
    JSON.parse(await readFile(join(set.folder, name), "utf8")) as unknown;
  await made(client.post("/projects", await json("project.json")));
  const zones = (await json("zones.json")) as readonly {
    readonly body: Readonly<Record<string, unknown>>;
    readonly surfaces: Readonly<
      Record<"baseline" | "design", undefined | Readonly<Record<string, unknown>>>
    >;
  }[];
  for (const { body, surfaces } of zones) {
    await made(client.post("/progress/zones", body));
    for (const [name, surface] of Object.entries(surfaces)) {
      const path = `/progress/zones/${String(body["id"])}/surfaces/${name}`;
      if (surface === undefined) continue;
      const { file, kind, epsg, ...level } = surface;
      if (typeof file !== "string") {
        await made(client.send("PUT", path, level));
        continue;
      }
      const bytes = new Uint8Array(await readFile(join(set.folder, file)));
      await (kind === "tin"
        ? made(client.send("PUT", `${path}?epsg=${String(epsg)}`, bytes, "application/xml"))
        : made(client.send("PUT", path, bytes, "image/tiff")));
    }
  }
}

/** The planned percents of one plan in three formats are the simulator's, at each flight. */
async function plannedByEachFormat(
  { expect }: CheckContext,
  { client }: SiteService,
  { folder, truth }: ProjectSet,
): Promise<void> {
  for (const [name, type] of SCHEDULES) {
    const bytes = new Uint8Array(await readFile(join(folder, name)));
    await made(client.send("PUT", `/progress/projects/${truth.projectId}/schedule`, bytes, type));
    const away: number[] = [];
    for (const { date, zones, plannedPercent } of truth.weeks) {
      const plan = await made(
        client.get(`/progress/projects/${truth.projectId}/schedule/planned?at=${date}`),
      );
      const [at] = (plan as unknown as PlannedProgress).data;
      away.push(Math.abs((at?.planned_percent ?? Number.NaN) - plannedPercent));
      for (const one of at?.zones ?? []) {
        const wanted = zones[one.zone_id]?.plannedPercent ?? Number.NaN;
        away.push(Math.abs((one.planned_percent ?? Number.NaN) - wanted));
      }
    }
    expect(
      `planned percents by ${name} are the plan's, for the project and each zone in each week`,
      away.length === truth.weeks.length * (1 + truth.zones.length) &&
        away.every((points) => points <= PLANNED_POINTS),
      `${away.length} of them, at most ${Math.max(...away).toFixed(3)} points away`,
    );
  }
}

async function flyWeek(site: SiteService, set: ProjectSet, week: TrueWeek): Promise<Report> {
  const { client, images } = site;
  const paths = (week.flight?.images ?? []).map((image) => join(set.folder, image));
  const capture = await captureUntil(
    client,
    await sendCapture(client, {
      project_id: set.truth.projectId,
      capture_type: "drone",
      images: images.show({ images: paths }),
      flight_metadata: { flown_at: week.date, rtk: week.gps === "rtk" },
    }),
  );
  if (capture.report_id === null) {
    throw new Error(`week ${week.week}: ${capture.error?.message ?? capture.no_report}`);
  }
  return await reportOf(client, capture.report_id);
}

function weekText(rows: readonly Row[], week: TrueWeek): string {
  return rows
    .filter((row) => row.week === week)
    .map(({ zone, reported, truth }) => {
      const interval =
        reported.interval_95?.map((end) => end.toFixed(0)).join("-") ?? reported.no_estimate;
      return `${zone.code} ${reported.progress.toFixed(1)} [${interval}] of ${truth.toFixed(1)}`;
    })
    .join("; ");
}

async function listedIds({ client }: SiteService, { truth }: ProjectSet): Promise<string[]> {
  const { body } = await client.get(`/progress/reports?project_id=${truth.projectId}&limit=100`);
  return (body["data"] as readonly { readonly id: string }[]).map(({ id }) => id);
}
