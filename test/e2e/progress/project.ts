import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "../../../api/progress/report-schemas.ts";
import type { PlannedProgress } from "../../../api/progress/schedule-schemas.ts";
import type { TrueWeek, TrueZoneFacts } from "../../../simulators/project/truth/project-truth.ts";
import { type ProjectSet, projectSet } from "../../support/project-sets.ts";
import { type Check, type CheckContext, mean, quantile, seconds } from "./check.ts";
import {
  captureUntil,
  made,
  openSiteService,
  reportOf,
  type SiteService,
  sendCapture,
} from "./site-service.ts";

/** Issue: error of a zone in a week, points; coverage of the stated 90 %. */
const MOST_ERROR = 3;
const LEAST_COVERAGE = 0.85;
/** A zone counts where its lift is so many levels of detection. */
const LEAST_LODS = 5;
/** Planned percents of the service have one decimal, and no more error than that. */
const PLANNED_POINTS = 0.051;
/** Schedules of one plan, with the type that they are sent as; the last one stays. */
const SCHEDULES = [
  ["schedule.csv", "text/csv"],
  ["schedule.xml", "application/xml"],
  ["schedule.xer", "application/octet-stream"],
] as const;

interface Row {
  readonly zone: TrueZoneFacts;
  readonly week: TrueWeek;
  readonly told: Report["zones"][number];
  readonly truth: number;
}

/** A site that is built over months, flown over each week, as a client sees it (issue, Must show 1). */
export const project: Check = {
  name: "project",
  about: "weekly flights over a simulated project, zone by zone against its truth",
  async run(context) {
    const { weeks, expect, print } = context;
    const set = await projectSet({ weeks, cameras: 0 });
    await using site = await openSiteService();
    await createProject(site, set);
    await plannedByEachFormat(context, site, set);
    const rows: Row[] = [];
    const reports: Report[] = [];
    for (const week of set.truth.weeks) {
      const sinceMs = performance.now();
      const report = await flyWeek(site, set, week);
      reports.push(report);
      for (const zone of set.truth.zones) {
        const told = report.zones.find(({ zone_id }) => zone_id === zone.id);
        const truth = week.zones[zone.id]?.percent;
        if (told === undefined || truth === undefined) throw new Error(`no zone ${zone.id}`);
        rows.push({ zone, week, told, truth });
      }
      print(`week ${week.week}, ${seconds(performance.now() - sinceMs)}: ${weekText(rows, week)}`);
    }
    judgePercents(context, rows);
    judgeHonesty(context, rows);
    judgeReports(context, set, reports);
    const late = reports.at(-1);
    expect(
      "each week has one report, newest first in the list",
      (await listedIds(site, set)).join() ===
        reports
          .map(({ id }) => id)
          .reverse()
          .join(),
      late?.id,
    );
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
    .map(({ zone, told, truth }) => {
      const interval = told.interval_90?.map((end) => end.toFixed(0)).join("-") ?? told.no_estimate;
      return `${zone.code} ${told.progress.toFixed(1)} [${interval}] of ${truth.toFixed(1)}`;
    })
    .join("; ");
}

/** Rows whose percent this flight measured. */
const measuredIn = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ told }) => told.raw_progress !== null && told.method.startsWith("dsm_"));

function judgePercents({ expect, print }: CheckContext, rows: readonly Row[]): void {
  const measured = measuredIn(rows);
  const lodsOf = ({ told, zone }: Row): number => {
    const { figures } = told.evidence as { readonly figures?: Readonly<Record<string, unknown>> };
    return zone.meanLiftM / Number(figures?.["lod_m"]);
  };
  const thick = measured.filter((row) => lodsOf(row) >= LEAST_LODS);
  const errorOf = ({ told, truth }: Row) => Math.abs((told.raw_progress ?? 0) - truth);
  const widthOf = ({ told: { interval_90: ends } }: Row) => (ends?.[1] ?? 0) - (ends?.[0] ?? 0);
  const worst = thick.toSorted((a, b) => errorOf(b) - errorOf(a));
  for (const { zone, week, told, truth } of worst.slice(0, 5)) {
    print(
      `worst: ${zone.code} in week ${week.week}: ${told.raw_progress} of ${truth.toFixed(1)}, [${told.interval_90?.join(", ")}]`,
    );
  }
  const free = thick.filter(({ zone }) => !zone.isOccluded);
  const errors = free.map(errorOf);
  expect(
    `zones whose lift is 5 x the level of detection are off by at most ${MOST_ERROR} points, in each week`,
    free.length > 0 && errors.every((points) => points <= MOST_ERROR),
    `${free.length} figures, mean ${mean(errors).toFixed(2)}, 95 % within ${quantile(errors, 0.95).toFixed(2)}, at most ${Math.max(...errors).toFixed(2)} points`,
  );
  // Heights alone do not tell a parked lorry from fill; the interval has to.
  expect(
    "zones that machines stand on are so, or their interval says that they may not be",
    thick
      .filter(({ zone }) => zone.isOccluded)
      .every((row) => errorOf(row) <= MOST_ERROR || widthOf(row) > 2 * MOST_ERROR),
    thick
      .filter(({ zone }) => zone.isOccluded)
      .map(({ told, truth }) => `${told.progress} [${told.interval_90}] of ${truth.toFixed(1)}`)
      .join("; "),
  );
  const covered = thick.filter(({ told, truth }) => {
    const [low = 0, high = 0] = told.interval_90 ?? [];
    // Ends of intervals have one decimal.
    return truth >= low - 0.05 && truth <= high + 0.05;
  });
  const share = covered.length / thick.length;
  const widths = thick.map(widthOf);
  expect(
    "the stated 90 % cover at least 85 % of true percents, and are no wider than 30 points in the mean",
    share >= LEAST_COVERAGE && mean(widths) <= 30,
    `${(100 * share).toFixed(1)} %, ${mean(widths).toFixed(1)} points wide`,
  );
}

function judgeHonesty({ expect }: CheckContext, rows: readonly Row[]): void {
  const of = (expectation: TrueZoneFacts["expectation"]) =>
    rows.filter(({ zone }) => zone.expectation === expectation);
  const thin = of("dsm_not_suitable");
  expect(
    "thin zones are refused as dsm_not_suitable in each week, and no percent is made up for them",
    thin.length > 0 &&
      thin.every(
        ({ told }) =>
          told.no_estimate === "dsm_not_suitable" &&
          told.raw_progress === null &&
          told.progress === 0 &&
          told.status === "not_started",
      ),
    thin.map(({ told }) => `${told.name} ${told.no_estimate} ${told.progress}`).join("; "),
  );
  const unseen = of("not_observed");
  expect(
    "zones that no flight can see have no percent",
    unseen.every(({ told }) => told.raw_progress === null && told.no_estimate === "not_observed"),
    unseen.map(({ told }) => `${told.name} ${told.no_estimate}`).join("; ") || "there is none",
  );
  const over = measuredIn(rows).filter(({ zone }) => zone.isOverbuilt);
  expect(
    "what is built beyond the design is told beside the percent and not credited",
    over.length > 0 &&
      over.every(({ told, truth }) => (told.raw_progress ?? 0) <= truth + MOST_ERROR) &&
      over.some(({ told }) => {
        const { figures } = told.evidence as { figures?: Readonly<Record<string, number>> };
        return (figures?.["overbuild_m3"] ?? 0) > 1;
      }),
    over.map(({ told, truth }) => `${told.raw_progress} of ${truth.toFixed(1)}`).join("; "),
  );
  const complete = rows.filter(({ told }) => told.status === "complete");
  expect(
    "no zone is complete that is not built",
    complete.every(({ truth }) => truth >= 95),
    complete.map(({ told, truth }) => `${told.name} at ${truth.toFixed(1)}`).join("; ") ||
      "none is",
  );
  expect(
    "100 is told of complete zones only",
    rows.every(({ told }) => (told.progress === 100) === (told.status === "complete")),
  );
}

function judgeReports(
  { expect, print }: CheckContext,
  { truth }: ProjectSet,
  reports: readonly Report[],
): void {
  const planned = reports.map((report, i) =>
    Math.abs(report.schedule.planned - (truth.weeks[i]?.plannedPercent ?? Number.NaN)),
  );
  print(
    reports
      .map(
        ({ progress_percentage, schedule, status }, i) =>
          `${progress_percentage} of ${truth.weeks[i]?.percent.toFixed(1)}, planned ${schedule.planned}, ${status}`,
      )
      .join("; "),
  );
  expect(
    "reports are compared with the schedule, by cost",
    reports.every(
      ({ schedule, weight_basis }) => schedule.basis === "schedule" && weight_basis === "cost",
    ) && planned.every((points) => points <= PLANNED_POINTS + 0.05),
    `planned at most ${Math.max(...planned).toFixed(2)} points away`,
  );
  expect(
    "each report has earned value: SV is what is earned less what is planned",
    reports.every(
      ({ earned_value: value }) =>
        value !== null &&
        Math.abs(value.schedule_variance - (value.earned_value - value.planned_value)) < 0.11,
    ),
    JSON.stringify(reports.at(-1)?.earned_value),
  );
  expect(
    "each shows the orthomosaic of its own flight",
    reports.every(
      ({ images, capture_date }) => images.kind === "survey" && images.as_of === capture_date,
    ),
  );
}

async function listedIds({ client }: SiteService, { truth }: ProjectSet): Promise<string[]> {
  const { body } = await client.get(`/progress/reports?project_id=${truth.projectId}&limit=100`);
  return (body["data"] as readonly { readonly id: string }[]).map(({ id }) => id);
}
