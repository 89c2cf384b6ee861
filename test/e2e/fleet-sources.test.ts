import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPlumblineClient } from "../../client/index.ts";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { openDevice } from "../support/mqtt-device.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { createSite, type DeviceAccess, mqttCount } from "../support/site.ts";
import { until } from "../support/until.ts";

const ADMIN_KEY = "fleet-source-test-admin-key-of-forty-letters";

interface Source {
  readonly id: string;
  readonly last_poll?: {
    readonly started_at: string;
    readonly outcome: string;
    readonly failure?: string;
    readonly machines_matched: number;
    readonly readings: number;
  };
}

let dataDir: string;
let service: ServiceProcess;
let api: ApiClient;

async function start(): Promise<void> {
  service = await startServiceProcess({
    dataDir,
    adminKey: ADMIN_KEY,
    environment: { OUTBOUND_ALLOW_CIDRS: "127.0.0.0/8" },
  });
  api = createApiClient(service.http, ADMIN_KEY);
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-fleet-sources-"));
  await start();
});

afterAll(async () => {
  await service.end("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

async function publish(access: DeviceAccess, reading: object): Promise<void> {
  const device = await openDevice({ access, port: service.mqttPort });
  await device.publish({ payload: JSON.stringify(reading) });
  device.cut();
}

/** Whole seconds: the standard's times have no parts of one. */
const secondsAgo = (seconds: number) => (Math.floor(Date.now() / 1_000) - seconds) * 1_000;

const locationOf = async (id: string) =>
  (
    await api.get<{ current: { latitude: number; timestamp: string } }>(
      `/equipment/assets/${id}/location`,
    )
  ).current;

it("a source is registered and polled: the machine shows where it is, also through a kill", async () => {
  // The other maker is this very service, seen with a key of one project.
  const theirs = (await createSite(api, "maker", ["theirs"])).get("theirs");
  if (theirs === undefined) throw new Error("no access");
  const named = { name: "Dumper 7", type: "dumper", make: "BELL", model: "B50E" };
  const plate = { ...named, project_id: "maker", id: "theirs-2", serial_number: "AEBA 9823/7" };
  const dumper = await api.post<{ mqtt: DeviceAccess }>("/equipment/assets", plate);
  const project = { id: "ours", name: "ours", location: { latitude: 1, longitude: 1 } };
  await api.post("/projects", project);
  for (const [id, hardware_id] of [
    ["ours-1", "theirs"],
    ["ours-2", "Dumper-7"],
  ]) {
    await api.post("/equipment/assets", { ...named, id, project_id: "ours", hardware_id });
  }
  const { key } = await api.post<{ key: string }>("/keys", {
    name: "owner",
    scopes: ["equipment:read"],
    project_ids: ["maker"],
  });
  const firstMs = secondsAgo(60);
  const first = { timestamp: firstMs, latitude: 52.25, longitude: 13.5, engine_hours: 8376.2 };
  await publish(theirs, first);
  await publish(dumper.mqtt, { ...first, latitude: 53 });
  await until(
    "their location",
    async () => (await locationOf("theirs")).latitude === 52.25,
    PATIENT_MS,
  );

  const auth = { kind: "basic" as const, username: "apikey", password: key };
  const { id } = await api.post<Source>("/equipment/fleet-sources", {
    url: `${service.http}/iso15143-3`,
    auth,
  });
  const timestamp = new Date(firstMs).toISOString();
  await until(
    "our location",
    async () => {
      const found = await locationOf("ours-1").catch(() => undefined);
      return found?.latitude === 52.25 && found.timestamp === timestamp;
    },
    PATIENT_MS,
  );
  const source = () => api.get<Source>(`/equipment/fleet-sources/${id}`);
  await until("the outcome", async () => (await source()).last_poll !== undefined, PATIENT_MS);
  expect((await source()).last_poll).toMatchObject({
    outcome: "ok",
    http_status: 200,
    machines: 2,
    machines_matched: 1,
    readings: 1,
    unmatched: [
      { OEMName: "BELL", Model: "B50E", EquipmentID: "Dumper 7", SerialNumber: "AEBA 9823/7" },
    ],
  });

  const secondMs = secondsAgo(5);
  await publish(theirs, { timestamp: secondMs, latitude: 52.5, longitude: 13.5 });
  await until("they moved", async () => (await locationOf("theirs")).latitude === 52.5, PATIENT_MS);
  const pollAgain = async () => {
    const before = (await source()).last_poll?.started_at;
    await api.post(`/equipment/fleet-sources/${id}/poll`, {});
    return await until(
      "another poll",
      async () => {
        const { last_poll } = await source();
        return last_poll?.started_at !== before && last_poll;
      },
      PATIENT_MS,
    );
  };
  expect(await pollAgain()).toMatchObject({ outcome: "ok", machines_matched: 1, readings: 1 });
  await until("we moved", async () => (await locationOf("ours-1")).latitude === 52.5, PATIENT_MS);

  await service.end("SIGKILL");
  await start();
  // Its port is another one by now: what was taken stays known, whatever the address, and the log-in is
  // given again.
  const client = createPlumblineClient({ baseUrl: service.http, apiKey: ADMIN_KEY });
  const moved = await client.PATCH("/api/v1/equipment/fleet-sources/{source_id}", {
    params: { path: { source_id: id } },
    body: { url: `${service.http}/iso15143-3`, auth },
  });
  expect(moved.data?.first_page).toBe(`${service.http}/iso15143-3/Fleet/1`);
  await until(
    "a poll of this process",
    async () => (await mqttCount(api, "fleet_pages")) > 0,
    PATIENT_MS,
  );
  expect(await pollAgain()).toMatchObject({ outcome: "ok", machines_matched: 1, readings: 0 });
  expect(await mqttCount(api, "fleet_readings")).toBe(0);
  expect(await locationOf("ours-1")).toMatchObject({
    latitude: 52.5,
    timestamp: new Date(secondMs).toISOString(),
  });
});
