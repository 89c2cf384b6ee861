import { Compile } from "typebox/compile";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Capture, CaptureList } from "../../../../api/progress/captures/capture-schemas.ts";
import { completed } from "../../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import {
  CAPTURES,
  claimCapture,
  clearCaptures,
  sendCapture,
  storeCapture,
} from "../../../support/capture-site.ts";

const captureSchema = Compile(Capture);
const captureList = Compile(CaptureList);
const NOON = new Date(NOON_MS).toISOString();

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
});
afterEach(() => clearCaptures(t));
afterAll(() => t[Symbol.asyncDispose]());

const read = async (id: string) => (await t.get(`${CAPTURES}/${id}`, ADMIN_KEY)).json();
const cancel = (id: string, key = ADMIN_KEY) => t.send("DELETE", `${CAPTURES}/${id}`, key);

describe("GET /captures", () => {
  it("GET /captures lists those of a project, or of all that the key sees, newest first, page by page", async () => {
    const [ours, theirs] = [await t.project(), await t.project()];
    const ids: string[] = [];
    for (const project_id of [ours, theirs, ours]) {
      ids.push((await storeCapture(t, project_id)).id);
      t.clock.ms += 1_000;
    }
    const key = await t.key({ scopes: ["progress:read"], project_ids: [ours] });
    const list = async (query: string, asked = ADMIN_KEY) => {
      const body = (await t.get(`${CAPTURES}${query}`, asked)).json();
      expect(captureList.Errors(body)).toEqual([]);
      return [body.data.map(({ id }: { id: string }) => id), body.pagination];
    };
    const all = { page: 1, limit: 100, has_more: false };
    expect(await list("")).toEqual([ids.toReversed(), { ...all, total: 3 }]);
    expect(await list("", key)).toEqual([[ids[2], ids[0]], { ...all, total: 2 }]);
    expect(await list(`?project_id=${theirs}`)).toEqual([[ids[1]], { ...all, total: 1 }]);
    expect(await list("?limit=2&offset=2")).toEqual([
      [ids[0]],
      { page: 2, limit: 2, total: 3, has_more: false },
    ]);
    const [first] = (await t.get(CAPTURES, ADMIN_KEY)).json().data;
    for (const absent of ["images", "zones", "products"]) expect(first).not.toHaveProperty(absent);
    const refused = await t.get(`${CAPTURES}?limit=1001`, ADMIN_KEY);
    const foreign = await t.get(`${CAPTURES}?project_id=${theirs}`, key);
    expect([refused.statusCode, foreign.statusCode]).toEqual([400, 404]);
  });
});

describe("a list of captures that wait", () => {
  it("the list of captures estimates their ends, never in the past, by two reads of the queue however many they are", async () => {
    const project_id = await t.project();
    for (let i = 0; i < 3; i += 1) await storeCapture(t, project_id);
    const loads = vi.spyOn(t.records.jobs, "load");
    const outlines = vi.spyOn(t.records.jobs, "outlines");
    const seconds = async () => {
      const { data } = (await t.get(`${CAPTURES}?project_id=${project_id}`, ADMIN_KEY)).json();
      return data
        .map((capture: { estimated_completion: string }) =>
          Date.parse(capture.estimated_completion),
        )
        .map((ms: number) => (ms - t.clock.ms) / 1_000)
        .toSorted((a: number, b: number) => b - a);
    };
    expect(await seconds()).toEqual([42, 28, 14]);
    expect([loads.mock.calls.length, outlines.mock.calls.length]).toEqual([1, 1]);
    t.clock.ms += 20_000;
    // No sooner than the work on each takes by itself.
    expect(await seconds()).toEqual([22, 14, 14]);
  });
});

describe("DELETE /captures/{id}", () => {
  it("DELETE /captures/{id} calls off one that waits or runs, at once and for good, and again with the same answer", async () => {
    const project_id = await t.project();
    const running = await storeCapture(t, project_id);
    const waiting = await storeCapture(t, project_id);
    const job = await claimCapture(t);
    for (const { id, jobId } of [waiting, running]) {
      const first = await cancel(id);
      const again = await cancel(id);
      expect([first.statusCode, again.statusCode]).toEqual([200, 200]);
      expect(first.json()).toMatchObject({
        id,
        status: "failed",
        completed_at: NOON,
        error: { code: "canceled", message: "The capture was canceled" },
      });
      expect(captureSchema.Errors(first.json())).toEqual([]);
      expect(again.body).toBe(first.body);
      expect((await t.records.jobs.find(jobId))?.cancelRequested).toBe(true);
    }
    expect((await t.records.jobs.find(waiting.jobId))?.state).toBe("canceled");
    // What its handler finds out later is not stored.
    const row = t.records.rows.captures.get(running.id);
    const done = completed(running.id, 20);
    await t.records.captures.complete({ ...done, capture: { ...done.capture, project_id } });
    await t.records.jobs.complete(job, {});
    expect(t.records.rows.captures.get(running.id)).toEqual(row);
    expect((await read(running.id)).error.code).toBe("canceled");
  });

  it("DELETE /captures/{id} leaves one that is over as it is: 409", async () => {
    const project_id = await t.project();
    const failed = await storeCapture(t, project_id);
    const killed = await storeCapture(t, project_id);
    const error = { code: "TASK_FAILED", message: "the process ended" };
    await t.records.captures.fail(failed.id, { error, completedAt: NOON, images: [] });
    for (let i = 0; i < 2; i += 1)
      await t.records.jobs.fail(await claimCapture(t), error, undefined);
    for (const { id } of [failed, killed]) {
      const response = await cancel(id);
      expect([response.statusCode, response.json().error]).toMatchObject([
        409,
        { code: "conflict", message: "The capture is failed already" },
      ]);
      expect((await read(id)).error.code).toBe("internal_error");
    }
  });

  it("DELETE /captures is for writers who may see the project, and shows a job that somebody canceled", async () => {
    const { id, jobId } = await storeCapture(t, await t.project());
    const reader = await t.key({ scopes: ["progress:read"] });
    const stranger = await t.key({ scopes: ["progress:write"], project_ids: [await t.project()] });
    const statuses = [];
    for (const [path, key] of [
      [id, reader],
      [id, stranger],
      ["absent", ADMIN_KEY],
    ] as const) {
      statuses.push((await cancel(path, key)).statusCode);
    }
    expect(statuses).toEqual([403, 404, 404]);
    await t.records.jobs.requestCancel(jobId);
    expect(await read(id)).toMatchObject({
      status: "failed",
      error: { code: "canceled" },
    });
    expect((await cancel(id)).statusCode).toBe(200);
  });

  it("DELETE /captures/{id} lets the next capture of the project follow", async () => {
    const project_id = await t.project();
    const first = await storeCapture(t, project_id);
    await cancel(first.id);
    const { id } = (await sendCapture(t, { project_id })).json();
    expect((await claimCapture(t)).input).toMatchObject({ captureId: id });
  });
});
