import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../../domain/ids.ts";
import { sendPoints, type TelemetryArchive } from "../../../../storage/ports/telemetry-archive.ts";
import { runInfluxQl } from "../../../../storage/telemetry/influx/influxql.ts";
import { openInfluxArchive } from "../../../../storage/telemetry/influx/open.ts";
import { INFLUXDB, openInfluxServer } from "../../../support/influx-server.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { all, point, rowsOf } from "../../../support/telemetry-points.ts";

const absence = INFLUXDB.absent === undefined ? "" : ` (skipped: ${INFLUXDB.absent})`;

// What only a real server shows: how it answers to what it does not take.
describe.skipIf(INFLUXDB.absent !== undefined)(`a real InfluxDB 1${absence}`, () => {
  let server: Awaited<ReturnType<typeof openInfluxServer>>;
  let database: string;
  let archive: TelemetryArchive;
  let count = 0;

  const target = () =>
    ({ url: server.url, dialect: "v1", database, org: "", headers: {} }) as const;
  const run = (statement: string) =>
    runInfluxQl(target(), statement, { method: "POST", timeoutMs: PATIENT_MS });
  const open = (retentionDays: number | undefined) =>
    openInfluxArchive(target(), { retentionDays });

  beforeAll(async () => {
    server = await openInfluxServer();
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    count += 1;
    database = `server_${process.pid}_${count}`;
    archive = open(undefined);
    await archive.prepare();
    return async () => {
      await run(`DROP DATABASE "${database}"`);
    };
  });

  it("the archive on a real InfluxDB 1 puts aside the two points of 500 whose field has another type on the server, and no other", async () => {
    // Somebody else wrote this field as a text.
    const query = new URLSearchParams({ db: database, rp: "plumbline", precision: "ms" });
    const foreign = await fetch(`${server.url}/write?${query}`, {
      method: "POST",
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

  it("the archive on a real InfluxDB 1 counts points that are older than the server keeps, and stores the others", async () => {
    const nowMs = Date.now();
    archive = open(10);
    await archive.prepare();
    const lane = archive.openLane();
    const receipt = await sendPoints(lane, [
      point(nowMs - 40 * 86_400_000, { a: 1 }),
      point(nowMs, { a: 2 }),
      point(nowMs - 41 * 86_400_000, { a: 3 }),
    ]);
    lane.close();
    expect(receipt).toEqual({ written: 1, expired: 2, refused: [] });
    expect(rowsOf(await archive.read(all()))).toEqual([{ t: nowMs, a: 2 }]);
  });

  it("the archive on a real InfluxDB 1 changes the retention of our policy when the setting changes, and makes it once", async () => {
    await open(3_650).prepare();
    await open(4).prepare();
    const [policies] = await run(`SHOW RETENTION POLICIES ON "${database}"`);
    expect(policies?.values.map(([name, duration]) => [name, duration])).toContainEqual([
      "plumbline",
      "96h0m0s",
    ]);
    expect(policies?.values.filter(([name]) => name === "plumbline")).toHaveLength(1);
  });

  it("the archive on a real InfluxDB 1 holds, and loses nothing, when the database is not there", async () => {
    const lane = openInfluxArchive(
      { ...target(), database: "nobody_made_it" },
      {
        retentionDays: 90,
      },
    ).openLane();
    await expect(sendPoints(lane, [point(1, { a: 1 })])).rejects.toMatchObject({
      failure: { kind: "hold", reason: expect.stringContaining("nobody_made_it") },
    });
    lane.close();
  });

  it("the archive on a real InfluxDB 1 holds when the retention policy is gone", async () => {
    await run(`DROP RETENTION POLICY "plumbline" ON "${database}"`);
    const lane = archive.openLane();
    await expect(sendPoints(lane, [point(1, { a: 1 })])).rejects.toMatchObject({
      failure: { kind: expect.stringMatching(/hold|retry/) },
    });
    lane.close();
  });

  it("the archive on a real InfluxDB 1 reads a machine's rows of two projects as one time line", async () => {
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

  it("the archive on a real InfluxDB 1 finds its newest fix time from a given time on", async () => {
    const lane = archive.openLane();
    await sendPoints(lane, [point(5_000, { a: 1 }), point(7_000, { b: 1 })]);
    lane.close();
    expect([await archive.newestFixTime(0), await archive.newestFixTime(7_001)]).toEqual([
      7_000,
      undefined,
    ]);
  });
});
