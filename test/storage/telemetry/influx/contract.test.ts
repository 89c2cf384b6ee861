import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedTelemetryStore } from "../../../../storage/telemetry/embedded/open.ts";
import { runInfluxQl } from "../../../../storage/telemetry/influx/influxql.ts";
import { openInfluxArchive } from "../../../../storage/telemetry/influx/open.ts";
import type { InfluxTarget } from "../../../../storage/telemetry/influx/target.ts";
import { describeTelemetryStore } from "../../../contracts/telemetry-store.ts";
import { INFLUXDB, openInfluxServer } from "../../../support/influx-server.ts";
import { createArchiveStore } from "../../../support/influx-store.ts";
import { startInlineSealThread } from "../../../support/inline-seal-thread.ts";
import { PATIENT_MS } from "../../../support/patience.ts";

it.runIf(INFLUXDB.required)("InfluxDB is there, as required", () => {
  expect(INFLUXDB.absent).toBeUndefined();
});

const absence = INFLUXDB.absent === undefined ? "" : ` (skipped: ${INFLUXDB.absent})`;

describe.skipIf(INFLUXDB.absent !== undefined)(`a real InfluxDB 1${absence}`, () => {
  let server: Awaited<ReturnType<typeof openInfluxServer>>;
  let count = 0;
  beforeAll(async () => {
    server = await openInfluxServer();
  });
  afterAll(() => server?.close());

  describeTelemetryStore("InfluxDB", async () => {
    count += 1;
    const target: InfluxTarget = {
      url: server.url,
      dialect: "v1",
      database: `contract_${process.pid}_${count}`,
      org: "",
      headers: {},
    };
    const statement = (text: string) =>
      runInfluxQl(target, text, { method: "POST", timeoutMs: PATIENT_MS });
    // For ever: the contract writes times of 1970 and of next year.
    const archive = openInfluxArchive(target, {
      retentionDays: undefined,
      pageRows: 1_000,
      timeouts: { writeMs: PATIENT_MS, readMs: PATIENT_MS, prepareMs: PATIENT_MS },
    });
    await archive.prepare();
    const dir = await mkdtemp(join(tmpdir(), "plumbline-influx-local-"));
    const open = async (floorMs: number) =>
      createArchiveStore(
        await openEmbeddedTelemetryStore({ dir }, startInlineSealThread),
        archive,
        floorMs,
        async (beforeMs) => {
          await statement(`DELETE FROM "telemetry" WHERE time < ${beforeMs}ms`);
        },
      );
    let store = await open(Number.NEGATIVE_INFINITY);
    return {
      store,
      async reopen() {
        await store.close();
        store = await open((await archive.newestFixTime(0)) ?? Number.NEGATIVE_INFINITY);
        return store;
      },
      async cleanUp() {
        await store.close();
        await statement(`DROP DATABASE "${target.database}"`);
        await rm(dir, { recursive: true });
      },
    };
  });
});
