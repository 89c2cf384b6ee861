import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlumblineClient } from "../../client/index.ts";
import { createApiClient } from "../support/api-client.ts";
import { freshDataDir } from "../support/databases.ts";
import { type MqttDevice, openDevice } from "../support/mqtt-device.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { createSite, type DeviceAccess } from "../support/site.ts";
import { until } from "../support/until.ts";

const ADMIN_KEY = "liveness-test-admin-key-of-forty-letters";

let dataDir: string;
let service: ServiceProcess;
let access: DeviceAccess | undefined;

async function start(): Promise<void> {
  service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY });
}

beforeAll(async () => {
  dataDir = await freshDataDir();
  await start();
  const api = createApiClient(service.http, ADMIN_KEY);
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

async function connection() {
  const client = createPlumblineClient({ baseUrl: service.http, apiKey: ADMIN_KEY });
  const { data, error } = await client.GET("/api/v1/equipment/assets/{asset_id}", {
    params: { path: { asset_id: "van-1" } },
  });
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data.connection;
}

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
