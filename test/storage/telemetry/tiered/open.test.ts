import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SeriesQuery } from "../../../../storage/ports/telemetry-store.ts";
import { openTelemetry } from "../../../../storage/telemetry/open.ts";
import { answering, type HttpReceiver, openHttpReceiver } from "../../../support/http-receiver.ts";
import { all, point, rowsOf } from "../../../support/telemetry-points.ts";

const DAY_MS = 86_400_000;

let dataDir: string;
let influx: HttpReceiver;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-tier-open-"));
  influx = await openHttpReceiver();
  influx.answer = answering(503);
});

afterEach(async () => {
  await influx[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

const open = (influxUrl: string | undefined) =>
  openTelemetry({
    dataDir,
    retentionDays: 90,
    influxUrl,
    influxToken: undefined,
    influxOrg: undefined,
    influxBucket: undefined,
    influxDatabase: undefined,
    influxUsername: undefined,
    influxPassword: undefined,
  });
const urlOf = () => `http://127.0.0.1:${influx.port}`;
const lastDays = (days: number): SeriesQuery => ({ ...all(), fromMs: Date.now() - days * DAY_MS });

it("telemetry has no tier without INFLUX_URL", async () => {
  const { local, tier } = await open(undefined);
  expect(tier).toBeUndefined();
  await local.close();
});

it("tiered telemetry starts while InfluxDB is away, and asks it only for what is older than four days", async () => {
  const { tier } = await open(urlOf());
  expect(rowsOf((await tier?.store.read(lastDays(3))) ?? never())).toEqual([]);
  expect(influx.received).toEqual([]);
  await expect(tier?.store.read(lastDays(9))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(influx.received).toHaveLength(1);
  await tier?.store.close();
});

it("tiered telemetry answers telemetry of before InfluxDB itself, without asking", async () => {
  const before = await open(undefined);
  const oldMs = Date.now() - 9 * DAY_MS;
  await before.local.write([point(oldMs, { a: 1 })], { journalId: "j", sequence: 1 });
  await before.local.flush();
  await before.local.close();
  const { tier } = await open(urlOf());
  expect(rowsOf((await tier?.store.read(lastDays(10))) ?? never())).toEqual([{ t: oldMs, a: 1 }]);
  expect(influx.received).toEqual([]);
  await tier?.store.close();
});

function never(): never {
  throw new Error("there is no tier");
}
