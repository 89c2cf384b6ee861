import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../../domain/ids.ts";
import { sendPoints, type TelemetryArchive } from "../../../../storage/ports/telemetry-archive.ts";
import { openInfluxArchive } from "../../../../storage/telemetry/influx/open.ts";
import type { InfluxTarget } from "../../../../storage/telemetry/influx/target.ts";
import {
  INFLUX2_ORG,
  INFLUXDB2,
  type Influx2Server,
  startInflux2Server,
} from "../../../support/influx2-server.ts";
import { all, point, rowsOf } from "../../../support/telemetry-points.ts";

const DAY_MS = 86_400_000;
const absence = INFLUXDB2.absent === undefined ? "" : ` (skipped: ${INFLUXDB2.absent})`;

// What only a real server shows: how it answers to what it does not take, and what it wants to be asked.
describe.skipIf(INFLUXDB2.absent !== undefined)(`a real InfluxDB 2${absence}`, () => {
  let server: Influx2Server;
  let bucket: string;
  let archive: TelemetryArchive;
  let count = 0;

  const open = (target: InfluxTarget, retentionDays?: number) =>
    openInfluxArchive(target, { retentionDays });
  const bucketsOf = async (name: string) =>
    (
      await server.admin<{
        buckets: readonly { id: string; orgID: string; retentionRules: readonly object[] }[];
      }>("GET", `/buckets?name=${name}&org=${INFLUX2_ORG}`)
    ).buckets;
  /** A token that may only do that with our bucket, or with what the permissions name. */
  async function token(permissions: readonly object[]): Promise<string> {
    const { orgs } = await server.admin<{ orgs: readonly { id: string }[] }>("GET", "/orgs");
    const made = await server.admin<{ token: string }>("POST", "/authorizations", {
      orgID: orgs[0]?.id,
      permissions: permissions.map((one) => ({ ...one })),
    });
    return made.token;
  }
  async function ofBucket(actions: readonly ("read" | "write")[]): Promise<string> {
    const [found] = await bucketsOf(bucket);
    const resource = { type: "buckets", id: found?.id, orgID: found?.orgID };
    return await token(actions.map((action) => ({ action, resource })));
  }

  beforeAll(async () => {
    server = await startInflux2Server();
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    count += 1;
    bucket = `server_${count}`;
    archive = open(server.target(bucket));
    await archive.prepare();
  });

  it("readying a real InfluxDB 2 makes the bucket with its retention once, and what InfluxQL needs", async () => {
    bucket = "kept-for-days";
    archive = open(server.target(bucket), 10);
    await archive.prepare();
    await archive.prepare();
    const buckets = await bucketsOf(bucket);
    expect(buckets).toMatchObject([
      { retentionRules: [{ type: "expire", everySeconds: 864_000 }] },
    ]);
    const nowMs = Date.now();
    const lane = archive.openLane();
    expect((await sendPoints(lane, [point(nowMs, { a: 1 })])).written).toBe(1);
    lane.close();
    expect(rowsOf(await archive.read(all()))).toEqual([{ t: nowMs, a: 1 }]);
  });

  it("the archive on a real InfluxDB 2 puts aside the two points of 500 whose field has another type on the server, and no other", async () => {
    const query = new URLSearchParams({ org: INFLUX2_ORG, bucket, precision: "ms" });
    const foreign = await fetch(`${server.url}/api/v2/write?${query}`, {
      method: "POST",
      headers: { authorization: `Token ${server.token}` },
      body: 'telemetry,asset=other,project=site-1 mood="good" 100',
    });
    expect(foreign.status).toBe(204);
    const points = Array.from({ length: 500 }, (_, i) =>
      point(i, i === 7 || i === 400 ? { mood: 1 } : { number: i }),
    );
    const lane = archive.openLane();
    const receipt = await sendPoints(lane, points);
    lane.close();
    expect([receipt.written, receipt.refused.map((one) => one.fixTimeMs)]).toEqual([498, [7, 400]]);
    expect(receipt.refused[0]?.reason).toContain("field type conflict");
    expect((await archive.read(all())).timesMs.length).toBe(498);
  });

  it("the archive on a real InfluxDB 2 counts points that are older than the server keeps, and stores the others", async () => {
    const nowMs = Date.now();
    bucket = "ten-days";
    archive = open(server.target(bucket), 10);
    await archive.prepare();
    const lane = archive.openLane();
    const receipt = await sendPoints(lane, [
      point(nowMs - 40 * DAY_MS, { a: 1 }),
      point(nowMs, { a: 2 }),
      point(nowMs - 41 * DAY_MS, { a: 3 }),
    ]);
    lane.close();
    expect(receipt).toEqual({ written: 1, expired: 2, refused: [] });
    expect(rowsOf(await archive.read(all()))).toEqual([{ t: nowMs, a: 2 }]);
  });

  it("the archive on a real InfluxDB 2 holds, and loses nothing, when the bucket is not there or the token is wrong", async () => {
    const cases: readonly (readonly [InfluxTarget, string])[] = [
      [server.target("nobody-made-it"), "nobody-made-it"],
      [server.target(bucket, "guess"), "401"],
      [server.target(bucket, await ofBucket(["read"])), "403"],
    ];
    for (const [target, reason] of cases) {
      const lane = open(target).openLane();
      await expect(sendPoints(lane, [point(1, { a: 1 })])).rejects.toMatchObject({
        failure: { kind: "hold", reason: expect.stringContaining(reason) },
      });
      lane.close();
    }
  });

  it("readying a real InfluxDB 2 names what is wrong: the token, its rights, the organisation", async () => {
    await expect(open(server.target(bucket, "guess")).prepare()).rejects.toMatchObject({
      code: "SETTINGS_INVALID",
      message: expect.stringContaining("INFLUX_TOKEN"),
    });
    const poor = await ofBucket(["read", "write"]);
    await expect(open(server.target("new-bucket", poor)).prepare()).rejects.toMatchObject({
      code: "SETTINGS_INVALID",
      message: expect.stringContaining("influx bucket create --name new-bucket"),
    });
    const elsewhere = { ...server.target("new-bucket"), org: "nobody" };
    await expect(open(elsewhere).prepare()).rejects.toMatchObject({
      code: "SETTINGS_INVALID",
      message: expect.stringContaining('no organisation "nobody" (INFLUX_ORG)'),
    });
  });

  it("a token that may only read and write the bucket of a real InfluxDB 2 is enough once the bucket is there", async () => {
    const own = open(server.target(bucket, await ofBucket(["read", "write"])));
    await own.prepare();
    const lane = own.openLane();
    expect((await sendPoints(lane, [point(5, { a: 1 })])).written).toBe(1);
    lane.close();
    expect(rowsOf(await own.read(all()))).toEqual([{ t: 5, a: 1 }]);
  });

  it("the archive on a real InfluxDB 2 reads a machine's rows of two projects as one time line", async () => {
    const lane = archive.openLane();
    const moved = { projectId: "site-2" as ProjectId };
    await sendPoints(lane, [point(1, { a: 1 }), point(2, { a: 2 }, moved), point(3, { a: 3 })]);
    lane.close();
    expect(rowsOf(await archive.read(all()))).toEqual([
      { t: 1, a: 1 },
      { t: 2, a: 2 },
      { t: 3, a: 3 },
    ]);
  });

  it("the archive on a real InfluxDB 2 finds its newest fix time from a given time on", async () => {
    const lane = archive.openLane();
    await sendPoints(lane, [point(5_000, { a: 1 }), point(7_000, { b: 1 })]);
    lane.close();
    expect([await archive.newestFixTime(0), await archive.newestFixTime(7_001)]).toEqual([
      7_000,
      undefined,
    ]);
  });

  it("the archive on a real InfluxDB 2 has everything again after the server was killed", async () => {
    const lane = archive.openLane();
    const points = Array.from({ length: 1_000 }, (_, i) => point(i, { number: i }));
    expect((await sendPoints(lane, points)).written).toBe(1_000);
    await server.kill("SIGKILL");
    await expect(sendPoints(lane, [point(1_000, { number: 1 })])).rejects.toMatchObject({
      failure: { kind: "retry" },
    });
    await server.start();
    expect((await sendPoints(lane, [point(1_000, { number: 1 })])).written).toBe(1);
    lane.close();
    expect((await archive.read(all())).timesMs.length).toBe(1_001);
  });
});
