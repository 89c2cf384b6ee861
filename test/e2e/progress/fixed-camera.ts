import sharp from "sharp";
import {
  paintCameraSite,
  percentsAt,
  planCameraSite,
  zoneOutlines,
} from "../../../simulators/camera-site/camera-site.ts";
import {
  type Conditions,
  drawConditions,
  movedConditions,
  referenceConditions,
} from "../../../simulators/camera-site/conditions.ts";
import { CAMERA_SITE_DEFAULTS } from "../../../simulators/camera-site/options.ts";
import { createRandom } from "../../../simulators/randomness/random.ts";
import type { Check, CheckContext } from "./check.ts";
import {
  ADMIN_KEY,
  captureUntil,
  eventsOf,
  made,
  openSiteService,
  reportOf,
  type SiteService,
  sendCapture,
} from "./site-service.ts";

/** Zones that are labelled, and labels of each. */
const ZONES = 2;
const LABELS = 12;

/** A fixed camera from its registration to the day that it is knocked, over HTTP (issue, Must show 2 and 4). */
export const fixedCamera: Check = {
  name: "fixed-camera",
  about:
    "a camera over HTTP: nothing without labels, an interval with them, suspended once it moved",
  async run(context) {
    await using site = await openSiteService();
    const scene = createScene(site);
    await register(site, scene);
    await withoutLabels(context, site, scene);
    await calibrate(context, site, scene);
    await withLabels(context, site, scene);
    await knocked(context, site, scene);
    return undefined;
  },
};

/** Pictures of one simulated site. */
function createScene({ images }: SiteService) {
  const plan = planCameraSite({ seed: "over-http", ...CAMERA_SITE_DEFAULTS });
  const random = createRandom("fixed-camera");
  let shown = 0;
  const jpeg = async (time: number, conditions: Conditions): Promise<Buffer> => {
    const picture = paintCameraSite(plan, percentsAt(plan, time), conditions);
    const { widthPx: width, heightPx: height, pixels } = picture;
    return await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 80 })
      .toBuffer();
  };
  const show = async (time: number, conditions: Conditions): Promise<string> => {
    shown += 1;
    return images.serve(`camera-${shown}.jpg`, await jpeg(time, conditions));
  };
  return {
    percents: (time: number) => percentsAt(plan, time),
    outlines: zoneOutlines(plan),
    reference: () => jpeg(0, referenceConditions(random.fork("reference"))),
    usual: (time: number) => show(time, drawConditions(random.fork(`${time}`), {})),
    night: (time: number) =>
      show(time, drawConditions(random.fork(`${time}`), { hardships: ["night"] })),
    moved: (time: number) => show(time, movedConditions(random, CAMERA_SITE_DEFAULTS.widthPx)),
  };
}
type Scene = ReturnType<typeof createScene>;

async function register({ client }: SiteService, scene: Scene): Promise<void> {
  await made(
    client.post("/projects", {
      id: "view",
      name: "Seen from a mast",
      location: { latitude: 51.5, longitude: -0.12 },
      planned_start: "2025-01-06",
      planned_finish: "2027-12-17",
    }),
  );
  for (let zone = 0; zone < ZONES; zone += 1) {
    await made(
      client.post("/progress/zones", {
        ...{ id: `house-${zone}`, project_id: "view", name: `House ${zone + 1}` },
        metric: { kind: "image" },
      }),
    );
  }
  await made(
    client.post("/progress/cameras", {
      ...{ id: "mast", project_id: "view", name: "Mast" },
      reference_image: await upload(client.url, await scene.reference()),
      zones: Array.from({ length: ZONES }, (_, zone) => ({
        zone_id: `house-${zone}`,
        outline: scene.outlines[zone],
      })),
    }),
  );
}

async function upload(url: string, jpeg: Buffer): Promise<string> {
  const form = new FormData();
  form.append("image", new Blob([new Uint8Array(jpeg)], { type: "image/jpeg" }), "reference.jpg");
  const response = await fetch(`${url}/api/v1/progress/images`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
    body: form,
  });
  const body = (await response.json()) as { images: { url: string }[] };
  return body.images[0]?.url ?? "";
}

async function look({ client }: SiteService, images: readonly string[]) {
  const capture = await captureUntil(
    client,
    await sendCapture(client, { project_id: "view", capture_type: "cctv", images }),
  );
  if (capture.report_id === null) {
    throw new Error(capture.error?.message ?? capture.no_report ?? "no report");
  }
  return { capture, report: await reportOf(client, capture.report_id) };
}

async function withoutLabels({ expect }: CheckContext, site: SiteService, scene: Scene) {
  const { capture, report } = await look(site, [await scene.usual(0.5), await scene.night(0.5)]);
  expect(
    "without labels no percent is made up, and the zones say why",
    report.zones.every(
      (zone) =>
        zone.progress === 0 &&
        zone.raw_progress === null &&
        zone.no_estimate === "no_calibration" &&
        zone.status === "not_started",
    ),
    report.zones.map(({ progress, no_estimate }) => `${progress} ${no_estimate}`).join(", "),
  );
  const [day, night] = capture.images;
  expect(
    "the picture has a change index, found its camera by what it shows, and is used",
    day?.status === "used" && day.camera_id === "mast" && (day.change_index ?? 0) > 0,
    JSON.stringify(day),
  );
  expect(
    "the one of the night is rejected with its reason",
    night?.status === "rejected" && /dark/.test(night.reason ?? ""),
    JSON.stringify(night),
  );
}

async function calibrate({ expect }: CheckContext, { client }: SiteService, scene: Scene) {
  for (let i = 0; i < LABELS; i += 1) {
    const time = (i + 0.5) / LABELS;
    const image_url = await scene.usual(time);
    await Promise.all(
      Array.from({ length: ZONES }, (_, zone) =>
        made(
          client.post(`/progress/zones/house-${zone}/calibrations`, {
            ...{ image_url, camera_id: "mast", progress: scene.percents(time)[zone] },
            taken_at: new Date(Date.UTC(2025, 0, 6) + time * 300 * 86_400_000).toISOString(),
            labelled_by: "Site manager",
          }),
        ),
      ),
    );
  }
  const body = await made(client.get("/progress/zones/house-0/calibrations"));
  const [model] = body["models"] as readonly Readonly<Record<string, unknown>>[];
  expect(
    `${LABELS} labels make a model`,
    model?.["is_ready"] === true && model["labels"] === LABELS && model["has_intervals"] === true,
    JSON.stringify(model),
  );
}

async function withLabels({ expect, print }: CheckContext, site: SiteService, scene: Scene) {
  const time = 0.62;
  const images = await Promise.all([0.6199, time].map((at) => scene.usual(at)));
  const { capture, report } = await look(site, images);
  const truth = scene.percents(time);
  print(
    report.zones
      .map((zone, i) => `${zone.progress} [${zone.interval_95}] of ${truth[i]?.toFixed(1)}`)
      .join(", "),
  );
  expect(
    "with them it is estimated, by the camera's own model",
    report.zones.every((zone) => zone.method === "calibrated_image" && zone.raw_progress !== null),
    report.zones.map(({ method, no_estimate }) => `${method} ${no_estimate}`).join(", "),
  );
  expect(
    "an interval is given only where it can be bounded, and the percent lies in it",
    capture.zones.every(
      ({ interval_95: interval, raw_progress: raw }) =>
        interval === null ||
        ((interval[0] ?? 0) <= (raw ?? -1) && (raw ?? 101) <= (interval[1] ?? 0)),
    ),
    capture.zones.map(({ interval_95 }) => String(interval_95)).join("; "),
  );
  expect(
    "no zone is complete",
    report.zones.every(({ status }) => status === "in_progress"),
  );
  expect("the picture is there with the outlines of the zones", report.pictures.length === 1);
}

async function knocked({ expect }: CheckContext, site: SiteService, scene: Scene) {
  const { client } = site;
  const { capture, report } = await look(site, [await scene.moved(0.7)]);
  expect(
    "a picture of the knocked camera is marked as such, and nothing is estimated from it",
    capture.images[0]?.status === "camera_moved" &&
      capture.zones.every(({ raw_progress }) => raw_progress === null),
    JSON.stringify(capture.images[0]),
  );
  expect(
    "zones are carried forward with the date that their figures are of",
    report.zones.every(
      (zone) =>
        zone.method === "carried_forward" &&
        zone.as_of < report.capture_date &&
        zone.observed_percent === 0,
    ),
    report.zones.map(({ method, as_of }) => `${method} ${as_of}`).join(", "),
  );
  const camera = await made(client.get("/progress/cameras/mast"));
  const events = await eventsOf(client, "progress.camera_moved");
  expect(
    "the camera is suspended, with an event",
    camera["status"] === "suspended" && events.length === 1,
    `${camera["status"]}, ${events.length} events`,
  );
  const still = await look(site, [await scene.usual(0.72)]);
  expect(
    "a suspended camera estimates nothing, whatever it shows",
    still.capture.zones.every(({ raw_progress }) => raw_progress === null) &&
      still.report.zones.every(({ method }) => method === "carried_forward"),
    still.report.zones.map(({ method, no_estimate }) => `${method} ${no_estimate}`).join(", "),
  );
  expect(
    "and publishes one event of it",
    (await eventsOf(client, "progress.camera_moved")).length === 1,
  );
}
