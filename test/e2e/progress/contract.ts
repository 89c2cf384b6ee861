import sharp from "sharp";
import type { Report } from "../../../api/progress/reports/report-schemas.ts";
import type { AnswerBody } from "../../support/answer-client.ts";
import { slowness } from "../../support/slowness.ts";
import { type SurveySet, surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import type { Check, CheckContext } from "./check.ts";
import { createFlightProject } from "./flight-scene.ts";
import {
  captureUntil,
  eventsOf,
  made,
  openSiteService,
  reportOf,
  type SiteService,
  sendCapture,
} from "./site-service.ts";

const LISTED = [
  "id",
  "project_id",
  "capture_date",
  "progress_percentage",
  "status",
  "comparison",
  "zones_completed",
  "total_zones",
];
const DETAIL = [
  "id",
  "project_id",
  "capture_date",
  "progress_percentage",
  "status",
  "zones",
  "images",
];
const FLOWN_AT = "2025-06-01T10:00:00.000Z";

/** The contract's three endpoints of progress, field by field, and images that cannot be used (issue, Must show 4). */
export const contract: Check = {
  name: "contract",
  about: "the contract's answers field by field, and images that are named and not used",
  async run(context) {
    const set = await surveySet(TINY_SURVEY);
    await using site = await openSiteService();
    await createFlightProject(site.client, set, "site");
    await refusals(context, site, set);
    const report = await droneCapture(context, site, set);
    await listOf(context, site, report);
    await badImages(context, site, set);
    return undefined;
  },
};

/** What is answered at once, without any work. */
async function refusals({ expect }: CheckContext, site: SiteService, set: SurveySet) {
  const images = site.images.show(set);
  const body = { project_id: "site", capture_type: "drone", images };
  const cases: readonly (readonly [name: string, body: object, message: RegExp])[] = [
    ["no project", { ...body, project_id: undefined }, /project_id/],
    ["a project that is not there", { ...body, project_id: "elsewhere" }, /./],
    ["no type", { ...body, capture_type: undefined }, /capture_type/],
    ["another type", { ...body, capture_type: "satellite" }, /drone, cctv, manual/],
    ["a list of types", { ...body, capture_type: ["drone"] }, /capture_type/],
    ["no images", { ...body, images: [] }, /images/],
    ["601 images", { ...body, images: Array(601).fill(images[0]) }, /600/],
    [
      "a private address",
      { ...body, images: [...images, "http://10.0.0.7/8.jpg"] },
      /images\[12\]/,
    ],
    [
      "a file of the server",
      { ...body, images: [...images, "file:///etc/passwd"] },
      /images\[12\]/,
    ],
    [
      "a flight in the future",
      { ...body, flight_metadata: { flown_at: "2999-01-01T00:00:00Z" } },
      /flown_at/,
    ],
  ];
  for (const [name, sent, message] of cases) {
    const { status, body: answer } = await site.client.post("/progress/captures", sent);
    expect(
      `${name} is refused in the contract's form, with the reason`,
      (status === 400 || status === 404) && message.test(JSON.stringify(answer.error)),
      `${status} ${answer.error?.code}: ${answer.error?.message}`,
    );
  }
  const list = await site.client.get("/progress/captures?project_id=site");
  expect("and no capture is stored", list.body.pagination?.total === 0);
}

async function droneCapture(
  { expect, print }: CheckContext,
  site: SiteService,
  set: SurveySet,
): Promise<Report> {
  const sentMs = Date.now();
  const sent = await site.client.post("/progress/captures", {
    project_id: "site",
    capture_type: "drone",
    images: site.images.show(set),
    flight_metadata: { flown_at: FLOWN_AT, rtk: true, pilots_own: { cat: "Tom" } },
  });
  const { body } = sent;
  expect(
    "a capture is answered 201 with id, status, estimated_completion and images_count, and no other field",
    sent.status === 201 &&
      Object.keys(body).join() === "id,status,estimated_completion,images_count" &&
      body["status"] === "processing" &&
      body["images_count"] === set.images.length &&
      isInstant(body["estimated_completion"]) &&
      Date.parse(String(body["estimated_completion"])) > sentMs,
    `${sent.status} ${JSON.stringify(body)}`,
  );
  expect(
    "within a second: the work comes later",
    sent.ms < 1_000 * slowness(),
    `${sent.ms.toFixed(0)} ms`,
  );
  const polled = await site.client.get(`/progress/captures/${body["id"]}`);
  expect(
    "a client that polls gets the time of its next poll",
    Number(polled.headers.get("retry-after")) >= 1 && polled.body["status"] === "processing",
    `Retry-After ${polled.headers.get("retry-after")}`,
  );
  const capture = await captureUntil(site.client, String(body["id"]));
  expect(
    "it is completed with a report; metadata keeps its unknown keys",
    capture.status === "completed" &&
      capture.report_id !== null &&
      JSON.stringify(capture.flight_metadata).includes('"pilots_own":{"cat":"Tom"}'),
    `${capture.status} ${capture.error?.message ?? capture.no_report ?? ""}`,
  );
  const report = await reportOf(site.client, capture.report_id);
  print(JSON.stringify(report.zones.map(({ notes: _, ...zone }) => zone)));
  const names = Object.keys(report);
  expect(
    "the detail begins with the contract's fields, and has none of the list's alone",
    DETAIL.every((name, i) => names[i] === name) &&
      !["comparison", "zones_completed", "total_zones"].some((name) => names.includes(name)),
    names.slice(0, DETAIL.length).join(", "),
  );
  expect("no field of the contract is null, at any depth", !hasNull(pick(report, DETAIL)));
  expect(
    "capture_date is when it was flown",
    report.capture_date === FLOWN_AT,
    report.capture_date,
  );
  // What was declared long after the flight says nothing of its day.
  const known = report.zones.filter(({ as_of }) => Date.parse(as_of) <= Date.parse(FLOWN_AT));
  const weights = known.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = known.reduce((sum, { weight, progress }) => sum + weight * progress, 0);
  expect(
    "progress_percentage is the mean of the zones that are known, by their weights, one decimal",
    known.length === 2 &&
      Math.abs(report.progress_percentage - weighted / weights) <= 0.1 &&
      report.progress_percentage === Number(report.progress_percentage.toFixed(1)),
    `${report.progress_percentage} of ${known.map((one) => one.progress).join(", ")}`,
  );
  const share = weights / report.zones.reduce((sum, { weight }) => sum + weight, 0);
  expect(
    "seen_percent is their share of the weights",
    Math.abs(report.seen_percent - 100 * share) <= 0.1,
    `${report.seen_percent}`,
  );
  expect(
    "a zone that no picture shows keeps what was declared, and says so",
    report.zones.some(
      (one) => one.name === "office" && one.progress === 25 && one.method === "declared",
    ),
  );
  expect(
    "zones that the flight measured have method, interval and how much of them was seen",
    report.zones
      .filter(({ method }) => method.startsWith("dsm_"))
      .every((one) => one.interval_95 !== null && one.observed_percent > 0) &&
      report.zones.filter(({ method }) => method.startsWith("dsm_")).length === 2,
    report.zones.map((one) => `${one.name} ${one.method} ${one.no_estimate}`).join(", "),
  );
  for (const url of [report.images.orthomosaic_url, report.images.model_3d_url]) {
    const opened = await site.client.open(url);
    expect(`${new URL(url).pathname.split("/").at(-1)} opens without a key`, opened.status === 200);
  }
  const page = await site.client.open(report.report_url);
  expect(
    "report_url opens a page that names the zones",
    page.status === 200 &&
      page.type.startsWith("text/html") &&
      report.zones.every(({ name }) => page.text.includes(name)),
  );
  const events = await eventsOf(site.client, "progress.report.created");
  expect(
    "an event reports it",
    events.length === 1 && JSON.stringify(events).includes(report.id),
    JSON.stringify(events),
  );
  return report;
}

async function listOf({ expect }: CheckContext, { client }: SiteService, report: Report) {
  const total = async (query: string) =>
    (await made(client.get(`/progress/reports?project_id=site${query}`))).pagination?.total;
  const { body } = await client.get("/progress/reports?project_id=site");
  const [item] = body["data"] as AnswerBody[];
  expect(
    "the list's item has the contract's fields and no others",
    Object.keys(item ?? {}).join() === LISTED.join(),
    Object.keys(item ?? {}).join(", "),
  );
  expect("none of them null, at any depth", !hasNull(item));
  const comparison = item?.["comparison"] ?? {};
  const { planned, actual, variance } = comparison as Record<string, number>;
  expect(
    "comparison: actual is progress_percentage, and variance actual less planned to the decimal",
    actual === report.progress_percentage &&
      variance === Number(((actual ?? 0) - (planned ?? 0)).toFixed(1)),
    `${actual} - ${planned} = ${variance}`,
  );
  // 2025-01-05 to 2025-12-18 are 347 days and 147.4 of them are over, give or take a time zone's day.
  expect(
    "planned is what the project's dates make of that day",
    Math.abs((planned ?? 0) - 42.4) <= 0.3,
    String(planned),
  );
  expect(
    "counts of zones are those of the detail",
    item?.["total_zones"] === 3 &&
      item["zones_completed"] === report.zones.filter((one) => one.status === "complete").length,
  );
  expect(
    "pagination has page, limit, total and has_more",
    JSON.stringify(body.pagination) === '{"page":1,"limit":20,"total":1,"has_more":false}',
    JSON.stringify(body.pagination),
  );
  const found = await Promise.all([
    total("&from_date=2025-06-01&to_date=2025-06-01"),
    total("&from_date=2025-06-02"),
    total("&to_date=2025-05-31"),
    total("&offset=1"),
  ]);
  expect(
    "dates are inclusive, and what lies outside is left out",
    found.join() === "1,0,0,1",
    found.join(),
  );
  for (const [query, least] of [
    ["?limit=10", 400],
    ["?project_id=site&limit=101", 400],
    ["?project_id=site&limit=0", 400],
    ["?project_id=site&from_date=yesterday", 400],
    ["?project_id=site&from_date=2025-02-30", 400],
    ["?project_id=elsewhere", 404],
  ] as const) {
    const { status } = await client.get(`/progress/reports${query}`);
    expect(`GET /reports${query} is answered ${least}`, status === least, String(status));
  }
  const absent = await client.get("/progress/reports/rpt_none");
  expect("a report that is not there is 404", absent.status === 404, String(absent.status));
}

/** Images that turn out to be none are named with their reasons; the others are worked with. */
async function badImages({ expect, print }: CheckContext, site: SiteService, set: SurveySet) {
  const good = site.images.show(set);
  const jpeg = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#888" } })
    .jpeg()
    .toBuffer();
  const bomb = await sharp({
    create: { width: 16_000, height: 16_000, channels: 3, background: "#888" },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 9 })
    .toBuffer();
  const bad = [
    [site.images.absent("gone.jpg"), /404/],
    [site.images.page, /not a JPEG, PNG, TIFF or WebP|not a JPEG/],
    [site.images.serve("cut.jpg", jpeg.subarray(0, 1_000)), /damaged/],
    [site.images.serve("bomb.png", bomb), /pixels/],
    [site.images.serve("empty.jpg", new Uint8Array()), /./],
  ] as const;
  const send = async (images: readonly string[], capture_type: string) =>
    await captureUntil(
      site.client,
      await sendCapture(site.client, { project_id: "site", capture_type, images }),
    );
  const some = await send([...good, ...bad.map(([url]) => url)], "drone");
  print(JSON.stringify(some.images.slice(set.images.length)));
  expect(
    "a flight with bad images among good ones is completed with warnings",
    some.status === "completed" && some.warnings.length > 0 && some.report_id !== null,
    `${some.status} ${some.error?.message ?? ""}; ${some.warnings.join(" ")}`,
  );
  expect(
    "each image is listed, in their order; bad ones with their reasons",
    some.images.length === good.length + bad.length &&
      some.images.slice(0, good.length).every(({ status }) => status === "used") &&
      bad.every(([url, reason], i) => {
        const image = some.images[good.length + i];
        return image?.status === "rejected" && image.url === url && reason.test(image.reason ?? "");
      }),
  );
  for (const type of ["drone", "cctv", "manual"]) {
    const none = await send(
      bad.map(([url]) => url),
      type,
    );
    expect(
      `a ${type} capture of nothing but bad images is failed with the reason, and each is named`,
      none.status === "failed" &&
        none.error?.code === "unusable_images" &&
        none.report_id === null &&
        none.images.length === bad.length &&
        none.images.every(({ reason }) => reason !== null),
      `${none.status} ${none.error?.code} ${none.error?.message}`,
    );
  }
}

const isInstant = (value: unknown): boolean =>
  typeof value === "string" && new Date(value).toISOString() === value;

const hasNull = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === "object" && Object.values(value).some(hasNull));

/** Fields of the contract of a detail: of its zones name, progress and status, of its images two addresses. */
function pick(report: Report, names: readonly string[]): object {
  return {
    ...Object.fromEntries(names.map((name) => [name, report[name as keyof Report]])),
    zones: report.zones.map(({ name, progress, status }) => ({ name, progress, status })),
    images: [report.images.orthomosaic_url, report.images.model_3d_url],
  };
}
