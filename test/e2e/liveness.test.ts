import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { freshDataDir } from "../support/databases.ts";
import { type MqttDevice, openDevice } from "../support/mqtt-device.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { createSite, type DeviceAccess } from "../support/site.ts";
import { until } from "../support/until.ts";

const ADMIN_KEY = "liveness-test-admin-key-of-forty-letters";

interface Connection {
  readonly link: string;
  readonly link_since?: string;
  readonly last_message_at?: string;
  readonly status: string;
}

let dataDir: string;
let service: ServiceProcess;
let api: ApiClient;
let access: DeviceAccess | undefined;

async function start(): Promise<void> {
  service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY });
  api = createApiClient(service.http, ADMIN_KEY);
}

beforeAll(async () => {
  dataDir = await freshDataDir();
  await start();
  access = (await createSite(api, "harbour", ["van-1"])).get("van-1");
});

afterAll(async () => {
  await service.end("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

async function connect(): Promise<MqttDevice> {
  if (access === undefined) throw new Error("no device");
  return openDevice({ access, port: service.mqttPort });
}

const connection = async () =>
  (await api.get<{ connection: Connection }>("/equipment/assets/van-1")).connection;

const linkIs = (link: string) =>
  until(
    `the link is ${link}`,
    async () => {
      const found = await connection();
      return found.link === link && found;
    },
    PATIENT_MS,
  );

describe("the connection that the API shows", () => {
  it("the connection that the API shows follows the device's sessions, and no session outlives a process that was killed", async () => {
    expect(await connection()).toEqual({ link: "unknown", status: "unknown" });

    const first = await connect();
    const connected = await linkIs("connected");
    await first.publish({ payload: JSON.stringify({ engine_on: true }) });
    await until("the message shows", async () => (await connection()).last_message_at, PATIENT_MS);
    first.cut();
    const gone = await linkIs("disconnected");
    expect(gone.status).toBe("ok");
    expect(Date.parse(gone.link_since ?? "")).toBeGreaterThan(
      Date.parse(connected.link_since ?? ""),
    );

    await connect();
    await linkIs("connected");
    await service.end("SIGKILL");
    const killedMs = Date.now();
    await start();
    const lost = await linkIs("disconnected");
    expect(Date.parse(lost.link_since ?? "")).toBeGreaterThanOrEqual(killedMs);
    await connect();
    await linkIs("connected");
  });
});
