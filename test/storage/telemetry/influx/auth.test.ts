import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendPoints } from "../../../../storage/ports/telemetry-archive.ts";
import { runInfluxQl } from "../../../../storage/telemetry/influx/influxql.ts";
import { openInfluxArchive } from "../../../../storage/telemetry/influx/open.ts";
import { influxTarget } from "../../../../storage/telemetry/influx/target.ts";
import { INFLUXDB, type InfluxServer, startInfluxServer } from "../../../support/influx-server.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { all, point, rowsOf } from "../../../support/telemetry-points.ts";

const isHere = existsSync("/usr/bin/influxd");

it.runIf(INFLUXDB.required)("influxd is there to be started with authentication", () => {
  expect(isHere).toBe(true);
});

describe.skipIf(!isHere)(
  `a real InfluxDB 1 with users${isHere ? "" : " (skipped: no influxd)"}`,
  () => {
    let server: InfluxServer;

    const target = (influxUsername: string | undefined, influxPassword: string | undefined) => {
      const found = influxTarget({
        influxUrl: `${server.url}/`,
        influxToken: undefined,
        influxOrg: undefined,
        influxBucket: undefined,
        influxDatabase: "guarded",
        influxUsername,
        influxPassword,
      });
      if (found === undefined) throw new Error("no target");
      return found;
    };
    const archive = (user: string, password: string) =>
      openInfluxArchive(target(user, password), { retentionDays: 90 });
    const admin = (statement: string) =>
      runInfluxQl(target("root", "secret"), statement, { method: "POST", timeoutMs: PATIENT_MS });

    beforeAll(async () => {
      server = await startInfluxServer({ withAuth: true });
      await runInfluxQl(
        target(undefined, undefined),
        "CREATE USER root WITH PASSWORD 'secret' WITH ALL PRIVILEGES",
        { method: "POST", timeoutMs: PATIENT_MS },
      );
      await admin("CREATE USER worker WITH PASSWORD 'pass:word'");
    });
    afterAll(() => server?.close());

    it("the archive says what to run while its user may not create the database, then writes and reads as that user", async () => {
      const worker = archive("worker", "pass:word");
      await expect(worker.prepare()).rejects.toMatchObject({
        code: "SETTINGS_INVALID",
        message: expect.stringContaining('CREATE DATABASE "guarded"'),
      });
      await archive("root", "secret").prepare();
      await admin('GRANT ALL ON "guarded" TO worker');
      await worker.prepare();
      const nowMs = Date.now();
      const lane = worker.openLane();
      expect((await sendPoints(lane, [point(nowMs, { a: 1 })])).written).toBe(1);
      lane.close();
      expect(rowsOf(await worker.read(all()))).toEqual([{ t: nowMs, a: 1 }]);
    });

    it("the archive holds while the password is wrong", async () => {
      const stranger = archive("worker", "guess");
      await expect(stranger.prepare()).rejects.toMatchObject({ code: "SETTINGS_INVALID" });
      const lane = stranger.openLane();
      await expect(sendPoints(lane, [point(1, { a: 1 })])).rejects.toMatchObject({
        failure: { kind: "hold", reason: expect.stringContaining("401") },
      });
      lane.close();
    });
  },
);
