import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssetId } from "../../../domain/ids.ts";
import { readInfluxSeries } from "../../../storage/telemetry/influx/read-series.ts";
import { createApiClient } from "../../support/api-client.ts";
import type { InfluxServer } from "../../support/influx-server.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";
import { caughtUp, createSite } from "../../support/site.ts";
import { until } from "../../support/until.ts";
import { type MessageTally, tallyMessages } from "../crash/message-tally.ts";
import { LiveDevice } from "./device.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { BACKLOG, metric } from "./probe.ts";

export const ADMIN_KEY = "influx-outage-admin-key-of-forty-letters";
const PROJECT = "outage-site";
const DATABASE = "plumbline";
const PATIENT_MS = 300_000;

/** A real InfluxDB, the real program in front of it, and live devices. */
export interface Scene {
  readonly influx: InfluxServer;
  readonly proxy: FaultProxy;
  readonly devices: readonly LiveDevice[];
  /** The program as it runs now; another one after a restart. */
  readonly service: () => ServiceProcess;
  /** SIGKILL, and a start on the same folder. */
  restart(): Promise<void>;
  /** Waits until all is acknowledged and in InfluxDB, and compares what devices know with what it holds. */
  tally(): Promise<MessageTally>;
  close(): Promise<void>;
}

export async function openScene(options: {
  readonly devices: number;
  readonly startInflux: () => Promise<InfluxServer>;
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<Scene> {
  const influx = await options.startInflux();
  const proxy = new FaultProxy(influx.port);
  await proxy.open();
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-influx-outage-"));
  const start = () =>
    startServiceProcess({
      dataDir,
      adminKey: ADMIN_KEY,
      environment: {
        INFLUX_URL: proxy.url,
        ...influx.environment(DATABASE),
        DEVICE_READINGS_PER_S: "1000000",
        ...options.environment,
      },
    });
  let service = await start();
  const api = () => createApiClient(service.http, ADMIN_KEY);
  const ids = Array.from({ length: options.devices }, (_, i) => `outage-${i}`);
  const access = await createSite(api(), PROJECT, ids);
  const devices = [...access.values()].map(
    (own, i) => new LiveDevice(own, i % 2 === 0, () => service.mqttPort),
  );
  const target = influx.target(DATABASE);

  return {
    influx,
    proxy,
    devices,
    service: () => service,
    async restart() {
      await service.end("SIGKILL");
      service = await start();
    },
    async tally() {
      for (const device of devices) device.pause();
      const inFlight = () => devices.every((device) => device.inFlight === 0);
      await until("everything sent is acknowledged", inFlight, PATIENT_MS);
      await caughtUp(api(), PATIENT_MS);
      const drained = async () => (await metric(service.http, BACKLOG)) === 0;
      await until("InfluxDB has the backlog", drained, PATIENT_MS);
      const stored = new Map<string, readonly number[]>();
      for (const { id } of devices) {
        const range = { fromMs: 0, toMs: Date.now() + 3_600_000, fields: ["number"] };
        const series = await readInfluxSeries(
          target,
          { assetId: id as AssetId, ...range },
          { timeoutMs: 60_000 },
        );
        stored.set(id, [...(series.columns.get("number") ?? [])]);
      }
      return tallyMessages(devices, stored);
    },
    async close() {
      for (const device of devices) device.close();
      await service.end("SIGKILL");
      await proxy.close().catch(() => undefined);
      await influx.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
