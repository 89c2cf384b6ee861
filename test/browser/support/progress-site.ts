import sharp from "sharp";
import { DAY_MS, WEEK_MS } from "../../../domain/time.ts";
import { PROJECT_DEFAULTS } from "../../../simulators/project/plan/options.ts";
import { planProject } from "../../../simulators/project/plan/plan-project.ts";
import { createSchedule } from "../../../simulators/project/schedule/activities.ts";
import { xerFile } from "../../../simulators/project/schedule/xer-file.ts";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { cameraScene } from "../../support/camera-scene.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";
import type { Served } from "./console-browser.ts";

export const PROJECT = "harbour";
const WEEKS = 12;
/** Weeks of the plan that lie behind us. */
const WEEKS_AGO = 6;
const MONDAY_MS = Date.UTC(2025, 4, 5);
/** Corner of the site, degrees: away from the machines of the demo. */
const CORNER = [50.5, 9.9] as const;
const STAGES = [
  { name: "framing", credit: 20 },
  { name: "plaster", credit: 60 },
  { name: "paint", credit: 100 },
];

/** A square of some 30 m beside the corner of the site. */
const square = (east: number) => {
  const [south, west] = [CORNER[0], CORNER[1] + east * 0.0006];
  return [
    [south, west],
    [south, west + 0.0004],
    [south + 0.0003, west + 0.0004],
    [south + 0.0003, west],
  ];
};

/** The simulated plan of two buildings as Primavera exports it, begun six weeks ago. */
export function scheduleFile(): Buffer {
  const { zones } = planProject({ ...PROJECT_DEFAULTS, weeks: WEEKS, zones: ["BLA", "BLB"] });
  // By whole weeks from a Monday, so that working days stay those of the calendars.
  const weeks = Math.floor((Date.now() - MONDAY_MS) / WEEK_MS) - WEEKS_AGO;
  const plans = zones.map((zone) => zone.plan);
  return Buffer.from(xerFile(createSchedule(plans, WEEKS, MONDAY_MS + weeks * WEEK_MS)));
}

/** A project with zones of every kind that needs no flight, a camera and two reports, made through the API. */
export interface ProgressSite {
  /** Has a picture of the flat analysed, as of some days ago, and resolves when its report is there. */
  readonly report: (daysAgo: number) => Promise<void>;
}

export async function makeProgressSite(served: Served): Promise<ProgressSite> {
  const client = createApiClient(served.origin, served.key);
  const scene = cameraScene(3);
  const picture = (progress: number, day: number) => uploadPicture(served, scene, progress, day);
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  await client.post("/projects", {
    ...{ id: PROJECT, name: "Harbour yard", time_zone: "Europe/Berlin" },
    location: { latitude: CORNER[0], longitude: CORNER[1] },
    planned_start: day(42).slice(0, 10),
    planned_finish: day(-42).slice(0, 10),
  });
  for (const [i, zone] of [
    {
      id: "h-a",
      name: "Building A",
      metric: { kind: "manual" },
      activities: { wbs: ["SITE.BLA"] },
    },
    { id: "h-b", name: "Building B", metric: { kind: "manual" } },
    { id: "h-flat", name: "Flat 3", metric: { kind: "stages", stages: STAGES } },
    { id: "h-gate", name: "Gate house", metric: { kind: "image" } },
  ].entries()) {
    await client.post("/progress/zones", { project_id: PROJECT, polygon: square(i), ...zone });
  }
  await client.post("/progress/cameras", {
    ...{ id: "h-cam", project_id: PROJECT, name: "Gate camera" },
    reference_image: await picture(0, 1),
    zones: [{ zone_id: "h-gate", outline: scene.outline }],
  });

  async function say(zone: string, progress: number, daysAgo: number): Promise<void> {
    await client.post(`/progress/zones/${zone}/observations`, {
      ...{ progress, observed_at: day(daysAgo), observed_by: "Foreman Ito" },
      interval_95: [Math.max(0, progress - 3), progress + 3],
    });
  }
  async function report(daysAgo: number): Promise<void> {
    const image = await picture(20 + daysAgo, 2 + daysAgo);
    await analysed(client, {
      ...{ capture_type: "manual", images: [`${image}#zone=h-flat`] },
      flight_metadata: { taken_at: day(daysAgo) },
    });
  }

  await say("h-a", 30, 8.2);
  await say("h-b", 22, 8.2);
  await report(8);
  await say("h-a", 46, 1.2);
  await analysed(client, {
    ...{ capture_type: "cctv", images: [`${await picture(35, 4)}#camera=h-cam`] },
    flight_metadata: { taken_at: day(1) },
  });
  return { report };
}

async function analysed(client: ApiClient, body: object): Promise<void> {
  const { id } = await client.post<{ readonly id: string }>("/progress/captures", {
    project_id: PROJECT,
    ...body,
  });
  await until(
    "the pictures are analysed",
    async () => {
      const capture = await client.get<{
        readonly status: string;
        readonly report_id: string | null;
        readonly no_report: string | null;
        readonly error: unknown;
      }>(`/progress/captures/${id}`);
      if (capture.status === "processing") return false;
      if (capture.report_id === null) throw new Error(JSON.stringify(capture));
      return true;
    },
    PATIENT_MS,
  );
}

/** Stores a picture of the made-up site, and yields its address. */
async function uploadPicture(
  { origin, key }: Served,
  scene: ReturnType<typeof cameraScene>,
  progress: number,
  day: number,
): Promise<string> {
  const content = await scenePicture(scene, progress, day);
  const form = new FormData();
  form.append("images", new Blob([new Uint8Array(content)], { type: "image/jpeg" }), "site.jpg");
  const response = await fetch(`${origin}/api/v1/progress/images?project_id=${PROJECT}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  const answer = (await response.json()) as {
    readonly images?: readonly { readonly url: string }[];
  };
  const url = answer.images?.[0]?.url;
  if (url === undefined) throw new Error(`upload: ${response.status} ${JSON.stringify(answer)}`);
  return url;
}

/** A picture of the made-up site on a day, JPEG. */
export function scenePicture(
  scene: ReturnType<typeof cameraScene>,
  progress: number,
  day: number,
): Promise<Buffer> {
  const { width, height, rgb } = scene.shoot({ progress, day });
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}
