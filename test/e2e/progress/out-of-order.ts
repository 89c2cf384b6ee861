import { readFile } from "node:fs/promises";
import { type Client, createClient } from "../../support/answer-client.ts";
import { surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import type { Check, CheckContext } from "./check.ts";
import {
  captureOf,
  captureUntil,
  made,
  openSiteService,
  reportOf,
  type SiteService,
  sendCapture,
} from "./site-service.ts";

/** Captures that come late, at once, and of zones that go meanwhile; and what other keys see of them. */
export const outOfOrder: Check = {
  name: "out-of-order",
  about: "late captures, two at once, a zone deleted meanwhile, and keys of other projects",
  async run(context) {
    const [image] = (await surveySet(TINY_SURVEY)).images;
    if (image === undefined) throw new Error("the survey has no image");
    await using site = await openSiteService();
    const { client } = site;
    for (const project of ["mine", "theirs"]) {
      await made(
        client.post("/projects", {
          ...{ id: project, name: project, location: { latitude: 51.5, longitude: -0.12 } },
          ...{ time_zone: "Europe/London" },
          ...{ planned_start: "2025-01-06", planned_finish: "2025-12-19" },
        }),
      );
    }
    for (const name of ["roof", "walls", "gone"]) {
      await made(
        client.post("/progress/zones", {
          ...{ id: name, project_id: "mine", name, metric: { kind: "manual" } },
        }),
      );
    }
    const said = (zone: string, progress: number, observed_at: string) =>
      made(client.post(`/progress/zones/${zone}/observations`, { progress, observed_at }));
    await said("roof", 50, "2025-06-05T12:00:00Z");
    await said("walls", 100, "2025-06-08T12:00:00Z");
    const url = site.images.serve("photo.jpg", await readFile(image));
    await twoAtOnce(context, site, url);
    await otherKeys(context, site, url);
    return undefined;
  },
};

const photograph = (url: string, taken_at: string) => ({
  ...{ project_id: "mine", capture_type: "manual", images: [`${url}#zone=roof`] },
  flight_metadata: { taken_at },
});

async function twoAtOnce({ expect }: CheckContext, { client }: SiteService, url: string) {
  const dates = ["2025-06-10T12:00:00Z", "2025-06-06T12:00:00Z", "2025-06-01T12:00:00Z"];
  const ids = await Promise.all(dates.map((date) => sendCapture(client, photograph(url, date))));
  const gone = await client.send("DELETE", "/progress/zones/gone");
  const reports = [];
  for (const id of ids) {
    const { report_id, status, error, no_report } = await captureUntil(client, id);
    if (report_id === null) throw new Error(`${status} ${error?.message ?? no_report}`);
    reports.push(await reportOf(client, report_id));
  }
  const reported = reports.map(({ zones }) =>
    zones
      .filter(({ name }) => name !== "gone")
      .map(({ name, progress, status }) => `${name} ${progress} ${status}`)
      .join(", "),
  );
  expect(
    "each report gives what was known of its own day, in whatever order captures come",
    reported.join("; ") ===
      "roof 50 in_progress, walls 100 complete; roof 50 in_progress, walls 0 not_started; roof 0 not_started, walls 0 not_started",
    reported.join("; "),
  );
  const { body } = await client.get("/progress/reports?project_id=mine");
  const listed = (body["data"] as readonly { readonly capture_date: string }[]).map((one) =>
    one.capture_date.slice(8, 10),
  );
  expect(
    "the list is by the day of the capture, newest first",
    listed.join() === "10,06,01",
    listed.join(),
  );
  const late = await captureUntil(
    client,
    await sendCapture(client, photograph(url, "2025-06-12T12:00:00Z")),
  );
  const after = await reportOf(client, late.report_id);
  expect(
    "a zone that was deleted is in no report from then on",
    gone.status === 204 && after.zones.length === 2,
    `${gone.status}, ${after.zones.map(({ name }) => name).join(", ")}`,
  );
}

async function otherKeys({ expect }: CheckContext, { client }: SiteService, url: string) {
  const key = async (
    scopes: readonly string[],
    project_ids: readonly string[],
  ): Promise<Client> => {
    const body = await made(
      client.post("/keys", { name: scopes.join(), scopes, plan: "standard", project_ids }),
    );
    return createClient(client.url, String(body["key"]));
  };
  const theirs = await key(["progress:read", "progress:write"], ["theirs"]);
  const reader = await key(["progress:read"], ["mine"]);
  const id = await sendCapture(client, photograph(url, "2025-06-13T12:00:00Z"));
  const { report_id } = await captureUntil(client, id);
  const statuses = await Promise.all(
    [
      theirs.get(`/progress/captures/${id}`),
      theirs.send("DELETE", `/progress/captures/${id}`),
      theirs.get(`/progress/reports/${report_id}`),
      theirs.get("/progress/reports?project_id=mine"),
      theirs.get("/progress/zones/roof"),
      theirs.send("PATCH", "/progress/zones/roof", { declared_progress: 100 }),
      theirs.post("/progress/zones/roof/observations", { progress: 100 }),
      theirs.post("/progress/captures", photograph(url, "2025-06-14T12:00:00Z")),
    ].map(async (answer) => (await answer).status),
  );
  expect(
    "a key of another project finds nothing, and changes nothing",
    statuses.every((status) => status === 404),
    statuses.join(", "),
  );
  const refused = await Promise.all(
    [
      reader.send("DELETE", `/progress/captures/${id}`),
      reader.post("/progress/zones/roof/observations", { progress: 100 }),
      reader.post("/progress/captures", photograph(url, "2025-06-14T12:00:00Z")),
    ].map(async (answer) => (await answer).status),
  );
  expect(
    "a key that may only read is refused before anything is looked up",
    refused.every((status) => status === 403),
    refused.join(", "),
  );
  const body = await made(theirs.get("/progress/captures"));
  expect("its list is empty", (body["data"] as readonly unknown[]).length === 0);
  expect("and what was there is as it was", (await captureOf(client, id)).status === "completed");
}
