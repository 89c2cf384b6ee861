import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CaptureId, ProjectId } from "../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { claimCapture, clearCaptures, photographs } from "../../support/capture-site.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { storeFlownSurvey, storeMeasuredSurvey } from "../../support/survey-site.ts";
import { until } from "../../support/until.ts";

const SURVEYS = "/api/v1/surveys";

let t: TestApp;
let project_id: ProjectId;
let theirs: ProjectId;
beforeAll(async () => {
  t = await openTestApp();
  project_id = await t.project();
  theirs = await t.project();
});
afterEach(() => clearCaptures(t));
afterAll(() => t[Symbol.asyncDispose]());

const send = (body: object, key = ADMIN_KEY, headers: Record<string, string> = {}) =>
  t.send("POST", SURVEYS, key, { project_id, images: photographs(5), ...body }, headers);
const remove = (id: string, key = ADMIN_KEY) => t.send("DELETE", `${SURVEYS}/${id}`, key);

/** A survey of its own that is done. */
async function doneSurvey(id = "alone", project = project_id): Promise<CaptureId> {
  return await storeFlownSurvey(t, id, project, "2026-03-02T08:00:00.000Z", { purpose: "survey" });
}

const keysOf = async (id: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of t.files.store.list(`captures/${id}/`)) keys.push(key);
  return keys;
};

describe("POST /surveys", () => {
  it("POST /surveys answers 202 with the job, whose result is the survey", async () => {
    const flight_metadata = { rtk: true, exports: true };
    const answer = await send({ images: photographs(36), flight_metadata });
    const { id, job_id, ...rest } = answer.json();
    expect(answer.statusCode).toBe(202);
    expect(rest).toMatchObject({ status: "processing", images_count: 36 });
    expect(answer.headers.location).toBe(`/api/v1/jobs/${job_id}`);
    expect((await t.get(`/api/v1/jobs/${job_id}`, ADMIN_KEY)).json()).toMatchObject({
      kind: "capture",
      subject: `/api/v1/progress/captures/${id}`,
    });
    expect(t.records.rows.captures.get(id)).toMatchObject({
      ...{ project_id, capture_type: "drone", purpose: "survey", flight_metadata },
    });
    expect((await t.get(`/api/v1/progress/captures/${id}`, ADMIN_KEY)).json()).toMatchObject({
      purpose: "survey",
    });
    // Not in the list before it is done.
    expect((await t.get(`${SURVEYS}/${id}`, ADMIN_KEY)).statusCode).toBe(404);
  });

  it("a finished job of POST /surveys leads to the survey", async () => {
    const { id, job_id } = (await send({})).json();
    await t.records.jobs.complete(await claimCapture(t), { captureId: id });
    const job = (await t.get(`/api/v1/jobs/${job_id}`, ADMIN_KEY)).json();
    expect(job).toMatchObject({ status: "completed", result: `/api/v1/surveys/${id}` });
  });

  it("POST /surveys makes one survey for each Idempotency-Key", async () => {
    const headers = { "idempotency-key": "flight-7" };
    const [first, again] = [await send({}, ADMIN_KEY, headers), await send({}, ADMIN_KEY, headers)];
    expect([first.statusCode, again.statusCode]).toEqual([202, 202]);
    expect(again.json()).toEqual(first.json());
    expect(t.records.rows.captures.size).toBe(1);
  });

  it.each([
    [{ images: [] }, "images"],
    [{ images: ["ftp://site.example/a.jpg"] }, "images[0]"],
    [{ flight_metadata: { camera_id: "gate" } }, "flight_metadata.camera_id"],
    [{ flight_metadata: { zone_id: "room" } }, "flight_metadata.zone_id"],
    [{ flight_metadata: { flown_at: "2027-01-01T00:00:00Z" } }, "flight_metadata.flown_at"],
  ])("POST /surveys of %j is refused by name, and stores nothing", async (body, parameter) => {
    const answer = await send(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details[0].parameter).toBe(parameter);
    expect(t.records.rows.captures.size).toBe(0);
  });

  it("POST /surveys needs progress:write, and a project of the key's", async () => {
    const reader = await t.key({ scopes: ["progress:read", "materials:write"] });
    expect((await send({}, reader)).statusCode).toBe(403);
    const other = await t.key({ scopes: ["progress:write"], project_ids: [theirs] });
    const [hidden, absent] = [await send({}, other), await send({ project_id: "none" }, other)];
    expect([hidden.statusCode, absent.statusCode]).toEqual([404, 404]);
    expect((await send({ project_id: theirs }, other)).statusCode).toBe(202);
  });
});

describe("DELETE /surveys/{survey_id}", () => {
  it("DELETE /surveys removes a survey of its own with all its files", async () => {
    const id = await doneSurvey();
    expect((await t.get(`${SURVEYS}/${id}`, ADMIN_KEY)).json()).toMatchObject({
      source: { kind: "survey", capture_id: id },
    });
    expect(await keysOf(id)).not.toEqual([]);
    expect((await remove(id)).statusCode).toBe(204);
    expect((await t.get(`${SURVEYS}/${id}`, ADMIN_KEY)).statusCode).toBe(404);
    await until("its files are gone", async () => (await keysOf(id)).length === 0, PATIENT_MS);
    expect((await remove(id)).statusCode).toBe(404);
  });

  it("DELETE /surveys cancels one that is processing", async () => {
    const { id, job_id } = (await send({})).json();
    expect((await remove(id)).statusCode).toBe(204);
    expect((await t.records.jobs.find(job_id))?.state).toBe("canceled");
    expect(t.records.rows.captures.has(id)).toBe(false);
  });

  it("DELETE /surveys leaves what measurements and progress rest on, and says which", async () => {
    const measured = await storeMeasuredSurvey(t, "a", project_id);
    const flown = await storeFlownSurvey(t, "flight-1", project_id, "2026-03-02T08:00:00.000Z");
    for (const [id, text] of [
      [measured.id, "the measurement"],
      [flown, "the progress capture flight-1"],
    ] as const) {
      const answer = await remove(id);
      expect(answer.statusCode).toBe(409);
      expect(answer.json().error.message).toContain(text);
      expect((await t.get(`${SURVEYS}/${id}`, ADMIN_KEY)).statusCode).toBe(200);
    }
  });

  it("DELETE /surveys answers 404 for another tenant's, and leaves it", async () => {
    const id = await doneSurvey("secret", theirs);
    const key = await t.key({
      scopes: ["progress:read", "progress:write"],
      project_ids: [project_id],
    });
    const [hidden, absent] = [await remove(id, key), await remove("cap_absent", key)];
    expect([hidden.statusCode, absent.statusCode]).toEqual([404, 404]);
    expect(hidden.json().error.message.replace(id, "cap_absent")).toBe(absent.json().error.message);
    expect((await t.get(`${SURVEYS}/${id}`, ADMIN_KEY)).statusCode).toBe(200);
  });
});
