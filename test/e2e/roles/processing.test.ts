import { randomBytes } from "node:crypto";
import { type AddressInfo, createServer } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobId } from "../../../domain/ids.ts";
import type { Job, JobRecords } from "../../../storage/ports/platform/jobs.ts";
import { SqlJobRecords } from "../../../storage/records/platform/jobs.ts";
import type { Database } from "../../../storage/records/sql/database.ts";
import { openPostgres } from "../../../storage/records/sql/postgres.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";
import { ADMIN_KEY, type Cluster, openCluster, type RoleProcess, SERVERS } from "./cluster.ts";

const SIDE_PX = 320;
const jobId = (id: string) => id as JobId;

const absence = SERVERS.absent === undefined ? "" : ` (skipped: ${SERVERS.absent})`;

/** A picture of nothing: it decodes, and no survey comes of it. */
async function noise(): Promise<Uint8Array<ArrayBuffer>> {
  const raw = { width: SIDE_PX, height: SIDE_PX, channels: 3 } as const;
  const file = await sharp(randomBytes(SIDE_PX * SIDE_PX * 3), { raw })
    .jpeg()
    .toBuffer();
  return Uint8Array.from(file);
}

describe.skipIf(SERVERS.absent !== undefined)(`image processing in its role${absence}`, () => {
  let cluster: Cluster;
  let api: RoleProcess;
  let database: Database;
  let jobs: JobRecords;

  beforeAll(async () => {
    cluster = await openCluster();
    api = await cluster.start("api");
    database = await openPostgres(cluster.databaseUrl);
    jobs = new SqlJobRecords(database);
  });
  afterAll(async () => {
    await database?.close();
    await cluster?.close();
  });

  const startProcessing = (environment: Readonly<Record<string, string>> = {}) =>
    cluster.start("processing", { WORKERS: "1", ...environment });

  async function upload(count: number): Promise<readonly string[]> {
    const form = new FormData();
    for (let i = 0; i < count; i++) form.append("images", new Blob([await noise()]), `${i}.jpg`);
    const response = await fetch(`${api.service.http}/api/v1/progress/images`, {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
      body: form,
    });
    const body = (await response.json()) as { readonly images: readonly { url: string }[] };
    return body.images.map(({ url }) => url);
  }

  async function addSurvey(id: string, images: readonly string[]): Promise<void> {
    const input = { name: id, images, profile: "quick", engine: "local" };
    await jobs.add({
      id: jobId(id),
      kind: "survey",
      projectId: undefined,
      input: { ...input, controlPoints: [], scaleBars: [] },
      dedupeKey: undefined,
      lane: undefined,
      joinCompletedMs: 0,
      priority: 0,
      maxAttempts: 3,
      workUnits: images.length,
    });
  }

  const becomes = (id: string, state: Job["state"]): Promise<Job> =>
    until(
      `${id} is ${state}`,
      async () => {
        const job = await jobs.find(jobId(id));
        return job?.state === state ? job : undefined;
      },
      PATIENT_MS,
    );

  it("image processing in its role works on jobs that others added, with images that the API process took in", async () => {
    const images = await upload(3);
    expect(images).toHaveLength(3);
    await addSurvey("noise", images);
    const processing = await startProcessing();
    // Read in threads of its own, and checked: a survey needs more images, with positions.
    const job = await becomes("noise", "failed");
    expect(job).toMatchObject({ attempts: 1, error: { code: "IMAGES_UNUSABLE" } });
    const ready = await fetch(`${processing.service.http}/health/ready`);
    expect(ready.status).toBe(200);
    const metrics = await (await fetch(`${processing.service.http}/metrics`)).text();
    expect(metrics).toContain('plumbline_tasks_total{task="read-image",outcome="done"} 3');
    expect((await processing.service.end("SIGTERM")).code).toBe(0);
  });

  it("image processing in its role gives a job back when it is stopped, and another process takes it over", async () => {
    // A host that takes the connection and never answers.
    const mute = createServer();
    await new Promise<void>((ready) => mute.listen(0, "127.0.0.1", ready));
    const { port } = mute.address() as AddressInfo;
    const environment = { OUTBOUND_ALLOW_CIDRS: "127.0.0.1/32" };
    await addSurvey("waits", [`http://127.0.0.1:${port}/a.jpg`]);
    const first = await startProcessing(environment);
    const running = await becomes("waits", "running");
    expect((await first.service.end("SIGTERM")).code).toBe(0);
    expect(await jobs.find(jobId("waits"))).toMatchObject({ state: "queued", attempts: 0 });
    await startProcessing(environment);
    const again = await becomes("waits", "running");
    expect(again.runner).not.toBe(running.runner);
    await jobs.requestCancel(jobId("waits"));
    expect(await becomes("waits", "canceled")).toMatchObject({ attempts: 1 });
    mute.close();
  });
});
