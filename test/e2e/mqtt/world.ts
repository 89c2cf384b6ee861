import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { createAsset, createSite, type DeviceAccess } from "../../support/site.ts";

/** What was expected, and whether it is so. */
export type Check = readonly [name: string, isSo: boolean];

/** The real program with one project, for clients that try its broker. */
export interface MqttWorld {
  readonly api: ApiClient;
  readonly pid: number;
  readonly mqttPort: number;
  /** Lines that the program wrote. */
  readonly output: readonly string[];
  isAlive(): boolean;
  /** Registers an asset. */
  device(id: string): Promise<DeviceAccess>;
  close(): Promise<void>;
}

const PROJECT = "mqtt-site";
const ADMIN_KEY = "an-admin-key-for-tests-of-the-broker";

/** `environment`: settings of the program that differ from the default. */
export async function openWorld(
  environment: Readonly<Record<string, string>> = {},
): Promise<MqttWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-mqtt-"));
  const service = await startServiceProcess({
    dataDir,
    adminKey: ADMIN_KEY,
    environment,
    startMs: 180_000,
  });
  const api = createApiClient(service.http, ADMIN_KEY);
  await createSite(api, PROJECT, []);
  return {
    api,
    pid: service.pid,
    mqttPort: service.mqttPort,
    output: service.output,
    isAlive: () => !service.isGone,
    device: (id) => createAsset(api, PROJECT, id),
    async close() {
      await service.end("SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
