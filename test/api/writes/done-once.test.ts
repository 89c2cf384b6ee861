import fastify from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOnce } from "../../../api/writes/idempotency.ts";
import { LABEL_JOB, labelIdOf } from "../../../processing/progress/camera/label-request.ts";
import { JobRunner } from "../../../processing/queue/runner.ts";
import { view } from "../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, PEPPER, type TestApp } from "../../support/api-app.ts";
import { KILL_POINTS, killedProcess, withWrites } from "../../support/killed-process.ts";
import { startMeasuring } from "../../support/measuring.ts";
import { openMemoryFiles } from "../../support/memory-files.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { POST_ROUTES, preparePostSite } from "../../support/post-routes.ts";
import { runPostTask } from "../../support/post-tasks.ts";
import { someOf } from "../../support/some-of.ts";

/** Longer than the lease of a claim, shorter than a client's patience. */
const LATER_MS = 5_000;
/**
 * `uploadImages` reads its body part by part, and names what it stores by its content; `dryRunSchedule` reads a file
 * and stores nothing. A second `createUpload` is an empty upload that ends by itself. Messages of devices are known
 * again by intake (test/api/ingest/ingest.test.ts). An answer of `createSession` is a secret that is kept nowhere
 * (test/api/platform/sessions/sessions.test.ts).
 */
const WITHOUT_KEY = [
  "uploadImages",
  "dryRunSchedule",
  "createUpload",
  "ingestMessages",
  "createSession",
];

const clock = { ms: NOON_MS };
const now = () => clock.ms;
const writes: string[] = [];
const records = withWrites(openMemoryRecords(now), writes);
const shared = {
  clock,
  files: openMemoryFiles(now, PEPPER),
  runTask: runPostTask,
};
/** The process that outlives the killed ones: it makes what requests need, and gets them again. */
let t: TestApp;
let workers: AsyncDisposable[] = [];

beforeAll(async () => {
  t = await openTestApp({ ...shared, records });
  await preparePostSite(t);
  workers = [startMeasuring(t), startLabelling()];
});
afterAll(async () => {
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

/** Works on labels of images without reading them. */
function startLabelling(): AsyncDisposable {
  const runner = new JobRunner({
    jobs: t.records.jobs,
    handlers: new Map([
      [
        LABEL_JOB,
        async (job) => {
          const { zoneId } = job.input as { readonly zoneId: never };
          const label = { progress: 100, stage: "paint", labelled_by: "Ito" };
          await t.records.siteCameras.addLabel({
            ...view(job.id, { zone_id: zoneId, camera_id: undefined, capture_id: undefined }),
            ...label,
            id: labelIdOf(job.id),
            labelled_at: "2026-03-05T12:00:00.000Z",
            source: "calibration",
          });
          return {};
        },
      ],
    ]),
    runner: "labels",
    concurrency: 1,
    isAlone: true,
    log: pino({ level: "silent" }),
    onEnded: (id) => t.watch.poke(id),
    times: { pollMs: 5, watchMs: 50, stopMs: 100 },
  });
  return { [Symbol.asyncDispose]: () => runner.stop() };
}

let keys = 0;
function freshKey(): Record<string, string> {
  keys += 1;
  return { "idempotency-key": `k${keys}` };
}

describe("a POST with an Idempotency-Key", () => {
  it("a POST with an Idempotency-Key is one of these routes: a new one declares how it is done once, and is added here", async () => {
    const { paths } = (await t.get("/openapi.json", undefined)).json();
    const operations = Object.values<Record<string, { operationId: string }>>(paths).flatMap(
      ({ post }) => (post === undefined ? [] : [post.operationId]),
    );
    const listed = new Set([...POST_ROUTES.map(({ operationId }) => operationId), ...WITHOUT_KEY]);
    expect([...listed].sort()).toEqual(operations.sort());
  });

  it("a POST with an Idempotency-Key cannot be added to the API without that declaration", async () => {
    const app = fastify();
    answerOnce(app, records.idempotency, { pepper: PEPPER, now });
    expect(() => app.post("/things", async () => ({}))).toThrow(
      "POST /things does not declare how it is done once",
    );
    await app.close();
  });

  it("a POST with an Idempotency-Key is answered with 500 by a route that works outside the transaction which it declares", async () => {
    const app = fastify();
    answerOnce(app, records.idempotency, { pepper: PEPPER, now });
    app.post("/things", { config: { once: "transaction" } }, async () => ({ id: "t1" }));
    const response = await app.inject({ method: "POST", url: "/things" });
    expect(response.statusCode).toBe(500);
    expect(response.json().message).toBe("/things answers outside its transaction");
    await app.close();
  });

  it.each(
    POST_ROUTES,
  )("a POST with an Idempotency-Key does the work of $operationId once: $writes", async (route) => {
    const { url, body } = await route.prepare(t);
    writes.length = 0;
    const headers = freshKey();
    const first = await t.send("POST", url, ADMIN_KEY, body, headers);
    const again = await t.send("POST", url, ADMIN_KEY, body, headers);
    expect(first.statusCode, first.body).toBeLessThan(300);
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([
      first.statusCode,
      "true",
    ]);
    expect(writes).toEqual(route.writes);
  });

  const cases = POST_ROUTES.flatMap((route) =>
    someOf(KILL_POINTS).map((point) => ({ point, ...route })),
  );

  it.each(
    cases,
  )("a POST with an Idempotency-Key does $operationId ($writes) once, also killed $point", async (kill) => {
    const { url, body } = await kill.prepare(t);
    writes.length = 0;
    const headers = freshKey();
    const process = killedProcess(records, kill.point);
    const doomed = await openTestApp({ ...shared, records: process.records });
    void doomed.send("POST", url, ADMIN_KEY, body, headers).then(() => undefined);
    await process.killed;
    clock.ms += LATER_MS;

    const second = await t.send("POST", url, ADMIN_KEY, body, headers);
    const third = await t.send("POST", url, ADMIN_KEY, body, headers);

    expect(second.statusCode, second.body).toBeLessThan(300);
    expect([third.statusCode, third.headers["idempotent-replayed"]]).toEqual([
      second.statusCode,
      "true",
    ]);
    expect(third.json().id).toEqual(second.json().id);
    expect(writes).toEqual(kill.writes);
  });
});
