import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import type { MeasureRequest } from "../../../processing/measurement/measure-request.ts";
import type { JobContext } from "../../../processing/queue/job-handler.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import {
  claimCapture,
  photographs,
  sendCapture,
  storeCapture,
} from "../../support/capture-site.ts";
import { startMeasuring, storeStockpile } from "../../support/measuring.ts";
import { PATIENT_MS } from "../../support/patience.ts";

const JOBS = "/api/v1/jobs";
const SOON = { timeout: PATIENT_MS, interval: 5 };

/** Asks for a measurement without waiting for it. */
const measureAsync = (t: TestApp, id: string, prefer = "respond-async") =>
  t.send(
    "POST",
    `/api/v1/materials/stockpiles/${id}/measure`,
    ADMIN_KEY,
    { images: photographs(36) },
    { prefer },
  );

/** Work that goes on until it is canceled. */
async function untilCanceled(_request: MeasureRequest, { signal }: JobContext): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
  signal.throwIfAborted();
}

describe("jobs", () => {
  it("a measurement that nobody waits for is a job with a path, and ends in the measurement's own path", async () => {
    await using t = await openTestApp();
    const { id, project_id } = await storeStockpile(t);
    const answer = await measureAsync(t, id, "wait=5, Respond-Async; x=1");
    expect(answer.statusCode).toBe(202);
    expect(answer.headers["preference-applied"]).toBe("respond-async");
    const job = answer.json();
    expect(answer.headers["location"]).toBe(`${JOBS}/${job.id}`);
    expect(job).toEqual({
      id: job.id,
      kind: "measure",
      project_id,
      status: "queued",
      stage: "",
      progress_percent: 0,
      attempts: 0,
      cancel_requested: false,
      created_at: expect.any(String),
    });
    const waiting = await t.get(`${JOBS}/${job.id}`, ADMIN_KEY);
    // 36 images at the 2 s that are assumed of each.
    expect(waiting.json()).toMatchObject({
      seconds_left: 72,
      subject: `/api/v1/materials/stockpiles/${id}`,
      result: null,
    });
    expect(waiting.headers["retry-after"]).toBe("60");

    await using _measuring = startMeasuring(t);
    const path = `${JOBS}/${job.id}`;
    await expect
      .poll(async () => (await t.get(path, ADMIN_KEY)).json().status, SOON)
      .toBe("completed");
    const done = (await t.get(path, ADMIN_KEY)).json();
    expect(done).toMatchObject({ progress_percent: 100, seconds_left: null });
    const measured = await t.get(done.result, ADMIN_KEY);
    expect(measured.statusCode).toBe(200);
    expect(measured.json()).toMatchObject({ job_id: job.id, current_volume_m3: 1_234.567 });
  });

  it("a measurement with another preference waits as the contract says", async () => {
    await using t = await openTestApp();
    await using _measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    const answer = await measureAsync(t, id, "return=minimal");
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["preference-applied"]).toBeUndefined();
  });

  it("a job that is queued is canceled at once, one that runs at its next step, and one that has ended not at all", async () => {
    await using t = await openTestApp();
    const queued = await storeStockpile(t);
    const { id } = (await measureAsync(t, queued.id)).json();
    const canceled = await t.send("DELETE", `${JOBS}/${id}`, ADMIN_KEY);
    expect(canceled.json()).toMatchObject({ status: "canceled", seconds_left: null, result: null });
    expect((await t.send("DELETE", `${JOBS}/${id}`, ADMIN_KEY)).statusCode).toBe(200);

    await using measuring = startMeasuring(t, untilCanceled);
    const running = (await measureAsync(t, queued.id)).json().id;
    expect(running).not.toBe(id);
    await expect.poll(() => measuring.begun.length, SOON).toBe(1);
    const path = `${JOBS}/${running}`;
    expect((await t.send("DELETE", path, ADMIN_KEY)).statusCode).toBe(200);
    await expect
      .poll(async () => (await t.get(path, ADMIN_KEY)).json().status, SOON)
      .toBe("canceled");
  });

  it("a job that was completed cannot be canceled", async () => {
    await using t = await openTestApp();
    await using _measuring = startMeasuring(t);
    const { id } = (await measureAsync(t, (await storeStockpile(t)).id)).json();
    const path = `${JOBS}/${id}`;
    await expect
      .poll(async () => (await t.get(path, ADMIN_KEY)).json().status, SOON)
      .toBe("completed");
    const refused = await t.send("DELETE", path, ADMIN_KEY);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().error.message).toContain("completed already");
  });

  it("a capture's job leads to the capture, and to cancel it ends both", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const { id, jobId } = await storeCapture(t, project_id);
    const path = `/api/v1/progress/captures/${id}`;
    const open = (await t.get(`${JOBS}/${jobId}`, ADMIN_KEY)).json();
    expect(open).toMatchObject({ kind: "capture", subject: path, result: null });
    await claimCapture(t);
    const canceled = (await t.send("DELETE", `${JOBS}/${jobId}`, ADMIN_KEY)).json();
    expect(canceled).toMatchObject({ status: "running", cancel_requested: true });
    const after = (await t.get(path, ADMIN_KEY)).json();
    expect(after).toMatchObject({ status: "failed", error: { code: "canceled" } });
  });

  it("lists have the newest first, filtered by project, kind and state, in pages", async () => {
    await using t = await openTestApp();
    const first = await storeStockpile(t);
    const measured = (await measureAsync(t, first.id)).json();
    const project_id = await t.project({ id: "other" as ProjectId });
    await sendCapture(t, { project_id });
    const list = async (query: string) => (await t.get(`${JOBS}?${query}`, ADMIN_KEY)).json();
    const kinds = async (query: string) =>
      (await list(query)).data.map(({ kind }: { kind: string }) => kind);
    expect(await kinds("")).toEqual(["capture", "measure"]);
    expect(await kinds("project_id=other")).toEqual(["capture"]);
    expect(await kinds("kind=measure,label")).toEqual(["measure"]);
    expect(await kinds("status=running")).toEqual([]);
    expect(await kinds("sort=created_at")).toEqual(["measure", "capture"]);
    const second = await list("limit=1&offset=1");
    expect(second.data).toEqual([measured]);
    expect(second.pagination).toMatchObject({ total: 2, has_more: false });
    expect((await t.get(`${JOBS}?status=done`, ADMIN_KEY)).statusCode).toBe(400);
  });

  it("a key sees and cancels the jobs of its projects and areas alone", async () => {
    await using t = await openTestApp();
    const { id, project_id } = await storeStockpile(t);
    const job = (await measureAsync(t, id)).json();
    const path = `${JOBS}/${job.id}`;
    const ours = [project_id];
    const theirs = [await t.project({ id: "theirs" as ProjectId })];
    const total = async (key: string) => (await t.get(JOBS, key)).json().pagination.total;

    const stranger = await t.key({
      scopes: ["materials:read", "materials:write"],
      project_ids: theirs,
    });
    expect(await total(stranger)).toBe(0);
    expect((await t.get(path, stranger)).statusCode).toBe(404);
    expect((await t.send("DELETE", path, stranger)).statusCode).toBe(404);

    const builder = await t.key({ scopes: ["progress:read", "progress:write"], project_ids: ours });
    expect(await total(builder)).toBe(0);
    expect((await t.get(path, builder)).statusCode).toBe(404);

    const reader = await t.key({ scopes: ["materials:read"], project_ids: ours });
    expect(await total(reader)).toBe(1);
    expect((await t.get(path, reader)).json()).toMatchObject({ status: "queued" });
    expect((await t.send("DELETE", path, reader)).statusCode).toBe(403);

    const driver = await t.key({ scopes: ["equipment:read"], project_ids: ours });
    expect((await t.get(JOBS, driver)).statusCode).toBe(403);
    expect((await t.get(path, reader)).json()).toMatchObject({ status: "queued" });
  });
});
