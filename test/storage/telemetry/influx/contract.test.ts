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
import {
  INFLUXDB2,
  type Influx2Server,
  startInflux2Server,
} from "../../../support/influx2-server.ts";
import { startInlineSealThread } from "../../../support/inline-seal-thread.ts";
import { PATIENT_MS } from "../../../support/patience.ts";

it.runIf(INFLUXDB.required)("InfluxDB is there, as required", () => {
  expect(INFLUXDB.absent).toBeUndefined();
});
it.runIf(INFLUXDB2.required)("InfluxDB 2 is there, as required", () => {
  expect(INFLUXDB2.absent).toBeUndefined();
});

const absenceOf = ({ absent }: { readonly absent: string | undefined }) =>
  absent === undefined ? "" : ` (skipped: ${absent})`;
const databaseName = (count: number) => `contract_${process.pid}_${count}`;

describe.skipIf(INFLUXDB.absent !== undefined)(`a real InfluxDB 1${absenceOf(INFLUXDB)}`, () => {
  let server: Awaited<ReturnType<typeof openInfluxServer>>;
  let count = 0;
  beforeAll(async () => {
    server = await openInfluxServer();
  });
  afterAll(() => server?.close());

  describeTelemetryStore("InfluxDB", () => {
    count += 1;
    const database = databaseName(count);
    const target = { url: server.url, dialect: "v1", database, org: "", headers: {} } as const;
    return openStore(target, async () => {
      const drop = `DROP DATABASE "${database}"`;
      await runInfluxQl(target, drop, { method: "POST", timeoutMs: PATIENT_MS });
    });
  });
});

describe.skipIf(INFLUXDB2.absent !== undefined)(`a real InfluxDB 2${absenceOf(INFLUXDB2)}`, () => {
  let server: Influx2Server;
  let count = 0;
  beforeAll(async () => {
    server = await startInflux2Server();
  });
  afterAll(() => server?.close());

  describeTelemetryStore("InfluxDB 2", () => {
    count += 1;
    return openStore(server.target(databaseName(count)), async () => undefined);
  });
});

/** A store whose reads all come from the database of the target, which `drop` removes. */
async function openStore(target: InfluxTarget, drop: () => Promise<void>) {
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
        const expire = `DELETE FROM "telemetry" WHERE time < ${beforeMs}ms`;
        await runInfluxQl(target, expire, { method: "POST", timeoutMs: PATIENT_MS });
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
      await drop();
      await rm(dir, { recursive: true });
    },
  };
}
