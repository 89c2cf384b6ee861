import type { Report } from "../../../api/progress/reports/report-schemas.ts";
import { slowness } from "../../support/slowness.ts";
import { type SurveySet, surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { type Check, type CheckContext, seconds } from "./check.ts";
import { createFlightProject } from "./flight-scene.ts";
import {
  captureUntil,
  eventsOf,
  openSiteService,
  reportOf,
  type SiteService,
  sendCapture,
} from "./site-service.ts";

/**
 * Progress, percent, from which on a process is killed, one after the other: amid the work on the images,
 * not while they are fetched. Two, because a capture has three attempts.
 */
const KILL_FROM = [25, 55];
/** A canceled capture frees its place within so much, ms. Chosen: a loaded machine is allowed for. */
const FREED_MS = 15_000;
/** Tasks that read the pixels of images; what is left is the project's own frame, zones and report. */
const PIXEL_TASKS = ["find-keypoints", "match-pairs", "match-tile"];

/** Captures whose process is killed, that are called off, and that are sent twice (issue, Must show 5). */
export const interrupted: Check = {
  name: "interrupted",
  about: "captures that are killed, canceled and sent again: one report, the same figures",
  async run(context) {
    const set = await surveySet(TINY_SURVEY);
    const whole = await sentTwice(context, set);
    // On data of its own: nothing of it was worked out before.
    await using site = await openSiteService();
    await killedAndResumed(context, site, set, whole);
    await canceled(context, site, set);
    return undefined;
  },
};

const captureIn = (project_id: string, images: readonly string[]) => ({
  project_id,
  capture_type: "drone",
  images,
  flight_metadata: { flown_at: "2025-06-01T10:00:00Z", rtk: true },
});

async function sentTwice({ expect, print }: CheckContext, set: SurveySet): Promise<Report> {
  await using site = await openSiteService();
  const { client } = site;
  await createFlightProject(client, set, "whole");
  const body = captureIn("whole", site.images.show(set));
  let sinceMs = performance.now();
  const untouched = await tasksDone(client.url);
  const first = await captureUntil(client, await sendCapture(client, body));
  const firstMs = performance.now() - sinceMs;
  const whole = await reportOf(client, first.report_id);
  const looked = await tasksDone(client.url);
  print(`${set.images.length} images in ${seconds(firstMs)}: ${figures(whole).join("; ")}`);
  sinceMs = performance.now();
  const again = await captureUntil(client, await sendCapture(client, body));
  const againMs = performance.now() - sinceMs;
  const known = await reportOf(client, again.report_id);
  expect(
    "the same images again are answered from what was worked out before",
    looked > untouched &&
      (await tasksDone(client.url)) === looked &&
      again.report_id !== first.report_id,
    `${seconds(againMs)} after ${seconds(firstMs)}; ${looked - untouched} tasks the first time`,
  );
  expect("by the same figures", sameFigures(known, whole), figures(known).join("; "));
  return whole;
}

async function killedAndResumed(
  { expect }: CheckContext,
  site: SiteService,
  set: SurveySet,
  whole: Report,
): Promise<void> {
  await createFlightProject(site.client, set, "killed");
  const id = await sendCapture(site.client, captureIn("killed", site.images.show(set)));
  const stages = await killWhileItRuns(site, id);
  const ended = await captureUntil(site.client, id);
  expect(
    `a capture whose process is killed ${KILL_FROM.length} times is completed`,
    ended.status === "completed" && stages.length === KILL_FROM.length,
    `${ended.status} ${ended.error?.message ?? ""}; killed in ${stages.join(", ")}`,
  );
  const killed = await reportOf(site.client, ended.report_id);
  expect("with the same figures", sameFigures(killed, whole), figures(killed).join("; "));
  await expectReports(site, "killed", 1, expect);
}

async function canceled(
  { expect }: CheckContext,
  site: SiteService,
  set: SurveySet,
): Promise<void> {
  await createFlightProject(site.client, set, "canceled");
  // Without one image: another survey, of which nothing is known.
  const body = captureIn("canceled", site.images.show(set).slice(1));
  const id = await sendCapture(site.client, body);
  await captureUntil(site.client, id, ({ status, stage, progress }) => {
    return status !== "processing" || (stage !== "queued" && progress > 5);
  });
  const sinceMs = performance.now();
  const { status } = await site.client.send("DELETE", `/progress/captures/${id}`);
  const after = await captureUntil(site.client, id);
  expect(
    "a capture that is called off is failed as canceled",
    status === 200 && after.status === "failed" && after.error?.code === "canceled",
    `${status}, ${after.status} ${after.error?.code}, ${seconds(performance.now() - sinceMs)}`,
  );
  const next = await sendCapture(site.client, body);
  await captureUntil(site.client, next, ({ stage }) => stage !== "queued");
  const freedMs = performance.now() - sinceMs;
  expect("and frees its place for the next one", freedMs < FREED_MS * slowness(), seconds(freedMs));
  await captureUntil(site.client, next);
  await expectReports(site, "canceled", 1, expect);
  const again = await site.client.send("DELETE", `/progress/captures/${next}`);
  expect("one that is completed cannot be called off", again.status === 409, `${again.status}`);
}

/** Tasks of {@link PIXEL_TASKS} so far, by the metrics of the service. */
async function tasksDone(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split("\n")
    .filter((line) => line.startsWith("plumbline_tasks_total{"))
    .filter((line) => PIXEL_TASKS.some((task) => line.includes(`"${task}"`)))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** Kills the process in the middle of its work, and starts it again; yields where. */
async function killWhileItRuns(site: SiteService, id: string): Promise<readonly string[]> {
  const stages: string[] = [];
  for (const from of KILL_FROM) {
    const seen = await captureUntil(
      site.client,
      id,
      ({ status, progress }) => status !== "processing" || progress >= from,
    );
    if (seen.status !== "processing") return stages;
    stages.push(`${seen.stage} at ${seen.progress} %`);
    await site.restart("SIGKILL");
  }
  return stages;
}

/** Of captures that were completed, and no other. */
async function expectReports(
  { client }: SiteService,
  project: string,
  count: number,
  expect: CheckContext["expect"],
): Promise<void> {
  const list = await client.get(`/progress/reports?project_id=${project}`);
  const events = (await eventsOf(client, "progress.report.created")).filter(
    ({ project_id }) => project_id === project,
  );
  expect(
    `there is one report of "${project}", and one event`,
    list.body.pagination?.total === count && events.length === count,
    `${list.body.pagination?.total} reports, ${events.length} events`,
  );
}

const figures = ({ zones }: Report): readonly string[] =>
  zones.map(
    ({ name, progress, interval_95, no_estimate }) =>
      `${name} ${progress} [${interval_95?.join(", ") ?? no_estimate ?? "-"}]`,
  );

/** All that is measured; addresses and times differ. */
const sameFigures = (one: Report, other: Report): boolean =>
  JSON.stringify(measured(one)) === JSON.stringify(measured(other));

const measured = ({ progress_percentage, zones }: Report) => ({
  progress_percentage,
  zones: zones.map(({ name, raw_progress, observed_percent, interval_95 }) => ({
    ...{ name, raw_progress, observed_percent, interval_95 },
  })),
});
