import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import {
  DEMO,
  OBSERVED_ZONE,
  REPORTED_WEEKS,
  siteProject,
  yardSurvey,
} from "../../simulators/demo/demo-plan.ts";
import { gravelOf } from "../../simulators/demo/yard.ts";
import { planProject } from "../../simulators/project/plan/plan-project.ts";
import { createZoneMeter } from "../../simulators/project/truth/measure-zone.ts";
import { pileVolume } from "../../simulators/survey/site/pile.ts";
import { planSurvey } from "../../simulators/survey/site/plan-survey.ts";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { type DemoProcess, startDemoProcess } from "../support/demo-process.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { until } from "../support/until.ts";

interface List<T> {
  readonly data: readonly T[];
}
interface Measurement {
  readonly measured_at: string;
  readonly current_volume_m3: number;
  readonly uncertainty_95_m3: number;
  readonly measurement_id: string;
}
/** A measurement that was made of photographs. */
interface Drawn {
  readonly orthomosaic_url: string | null;
}
interface ReportedZone {
  readonly zone_id: string;
  readonly progress: number;
  readonly interval_95: readonly [number, number] | null;
}
interface Report {
  readonly id: string;
  readonly capture_date: string;
  readonly zones: readonly ReportedZone[];
}

/** Waits while photographs are drawn and measured beside a fleet, ms. */
const SURVEY_MS = 4 * PATIENT_MS;

let dataDir: string;
let demo: DemoProcess | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-demo-"));
});

afterEach(async () => {
  demo?.interrupt();
  await demo?.ended;
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function begin(folder = dataDir, args: readonly string[] = []): Promise<ApiClient> {
  demo = startDemoProcess(folder, args);
  const { url, key } = await demo.access();
  return createApiClient(url, key);
}

const measurementsOf = async (api: ApiClient): Promise<readonly Measurement[]> =>
  (
    await api
      .get<List<Measurement>>(
        `/materials/stockpiles/${DEMO.stockpile}/measurements?sort=measured_at`,
      )
      .catch(() => ({ data: [] }))
  ).data;

/** The oldest first. */
async function reportsOf(api: ApiClient): Promise<readonly Report[]> {
  const path = `/progress/reports?project_id=${DEMO.site}`;
  const { data } = await api.get<List<Report>>(path).catch(() => ({ data: [] }));
  return data.toSorted((x, y) => Date.parse(x.capture_date) - Date.parse(y.capture_date));
}

/** When the demo made a project, ms since the Unix epoch. */
async function madeMs(api: ApiClient, project: string): Promise<number> {
  return Date.parse(
    (await api.get<{ readonly created_at: string }>(`/projects/${project}`)).created_at,
  );
}

/** What is there of everything that the demo makes, by count. */
async function counts(api: ApiClient): Promise<Readonly<Record<string, number>>> {
  const paths = {
    stockpiles: `/materials/stockpiles?project_id=${DEMO.yard}`,
    measurements: `/materials/stockpiles/${DEMO.stockpile}/measurements`,
    zones: `/progress/zones?project_id=${DEMO.site}`,
    revisions: `/progress/projects/${DEMO.site}/schedule/revisions`,
    observations: `/progress/zones/${DEMO.site}-${OBSERVED_ZONE.toLowerCase()}/observations`,
    captures: `/progress/captures?project_id=${DEMO.site}`,
    reports: `/progress/reports?project_id=${DEMO.site}`,
  };
  const found = Object.entries(paths).map(async ([name, path]) => {
    const { data } = await api.get<List<unknown>>(path);
    return [name, data.length] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

const ALL = {
  ...{ stockpiles: 1, measurements: 2, zones: 6, revisions: 1 },
  ...{ observations: 2, captures: 2, reports: 2 },
};

/** A figure and the interval that holds its truth. */
function expectWithin(truth: number, [from, to]: readonly [number, number], what: string): void {
  expect(truth, `${what}: ${truth} in ${from} to ${to}`).toBeGreaterThanOrEqual(from);
  expect(truth, `${what}: ${truth} in ${from} to ${to}`).toBeLessThanOrEqual(to);
}

it("the demo shows all three areas with true figures, goes on after an interrupt, and doubles nothing", async () => {
  let api = await begin();
  await until(
    "a surface is measured",
    async () => (await measurementsOf(api)).length > 0,
    SURVEY_MS,
  );
  const { data: assets } = await api.get<List<unknown>>("/equipment/assets");
  expect(assets).toHaveLength(20);
  await until("a week is reported", async () => (await reportsOf(api)).length > 0, SURVEY_MS);
  const startedMs = await madeMs(api, DEMO.yard);
  demo?.interrupt();
  expect(await demo?.ended).toBe(0);

  api = await begin();
  await until("all is there", async () => (await measurementsOf(api)).length > 1, SURVEY_MS);
  expect(await counts(api)).toEqual(ALL);
  expect(await madeMs(api, DEMO.yard)).toBe(startedMs);
  const measurements = await measurementsOf(api);
  for (const [i, epoch] of ([1, 2] as const).entries()) {
    const plan = planSurvey(yardSurvey(startedMs, epoch));
    const truth = pileVolume(gravelOf(plan), epoch).volumeM3;
    const measured = measurements[i];
    if (measured === undefined) throw new Error(`no measurement of flight ${epoch}`);
    const { current_volume_m3: volume, uncertainty_95_m3: half } = measured;
    expectWithin(truth, [volume - half, volume + half], `gravel of flight ${epoch}, m3`);
    expect(half).toBeLessThan(0.1 * volume);
  }
  const drawn = await api.get<Drawn>(
    `/materials/stockpiles/${DEMO.stockpile}/measurements/${measurements[1]?.measurement_id}`,
  );
  expect(drawn.orthomosaic_url).toContain("http");
  await expectTrueReports(api);
  demo?.interrupt();
  expect(await demo?.ended).toBe(0);

  // What is there is looked at, and nothing is made anew.
  api = await begin();
  const isDone = () => demo?.output.includes("stockpile and building site ready") === true;
  await until("the demo has nothing more to make", isDone, SURVEY_MS);
  expect(await counts(api)).toEqual(ALL);
  expect(demo?.output).not.toContain("simulated sites:");
});

async function expectTrueReports(api: ApiClient): Promise<void> {
  const startedMs = await madeMs(api, DEMO.site);
  const plan = planProject(siteProject(startedMs));
  const reports = await reportsOf(api);
  for (const [i, number] of REPORTED_WEEKS.entries()) {
    const week = plan.weeks[number - 1];
    const listed = reports[i];
    if (week === undefined || listed === undefined) throw new Error(`no report of week ${number}`);
    expect(Date.parse(listed.capture_date)).toBe(week.startMs);
    expect(week.startMs).toBeLessThan(startedMs);
    const { zones } = await api.get<Report>(`/progress/reports/${listed.id}`);
    for (const zone of plan.zones) {
      const reported = zones.find(({ zone_id }) => zone_id === zone.id);
      const { percent } = createZoneMeter(plan.ground, zone).measure(zone.doneAt(number), []);
      if (reported === undefined || reported.interval_95 === null) {
        throw new Error(`zone ${zone.id} of week ${number} was not estimated`);
      }
      // Percents are reported with one decimal.
      const [from, to] = reported.interval_95;
      expectWithin(percent, [from - 0.05, to + 0.05], `${zone.id} of week ${number}, %`);
    }
  }
}

it("the demo shows the fleet alone when asked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plumbline-demo-"));
  const api = await begin(folder, ["--fleet"]);
  await until(
    "the fleet reports",
    () => /[1-9]\d* acknowledged/.test(demo?.output ?? ""),
    PATIENT_MS,
  );
  const { data } = await api.get<List<{ readonly id: string }>>("/projects");
  expect(data.map(({ id }) => id)).toEqual(["site-a"]);
  expect(demo?.output).not.toContain("|");
  demo?.interrupt();
  expect(await demo?.ended).toBe(0);
  await rm(folder, { recursive: true });
});

it("the demo starts bare when asked, and ends at an interrupt", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plumbline-demo-"));
  const api = await begin(folder, ["--empty"]);
  for (const path of ["/projects", "/equipment/assets", "/surveys", "/jobs"]) {
    expect((await api.get<List<unknown>>(path)).data).toEqual([]);
  }
  expect(demo?.output).toContain("Nothing is simulated.");
  demo?.interrupt();
  expect(await demo?.ended).toBe(0);
  await rm(folder, { recursive: true });
});

it("the demo refuses an option that it does not have, and says which there are", async () => {
  demo = startDemoProcess(dataDir, ["--bare"]);
  expect(await demo.ended).toBe(1);
  expect(demo.output).toContain('there is no option "--bare"');
  expect(demo.output).toContain("--empty");
});
