import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWebSocketStream, WebSocket } from "ws";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { type MqttDevice, openDevice } from "../support/mqtt-device.ts";
import { PATIENT_MS } from "../support/patience.ts";
import {
  runServiceProcess,
  type ServiceProcess,
  startServiceProcess,
} from "../support/service-process.ts";
import {
  caughtUp,
  createAsset,
  createSite,
  type DeviceAccess,
  mqttCount,
  storedNumbers,
} from "../support/site.ts";
import { slowness } from "../support/slowness.ts";
import { until } from "../support/until.ts";
import { CrashDevice } from "./crash/device.ts";
import { tallyMessages } from "./crash/message-tally.ts";

const ADMIN_KEY = "service-test-admin-key-of-forty-two-letters";
const PEM = (name: string) =>
  fileURLToPath(new URL(`../ingest/broker/tls/${name}.pem`, import.meta.url));
const MINUTE_MS = 60_000;

interface Location {
  readonly current: { readonly latitude: number; readonly timestamp: string };
  readonly history?: readonly { readonly latitude: number; readonly timestamp: string }[];
}

interface Card {
  readonly id: string;
  readonly status: string;
  readonly location: { readonly latitude: number; readonly longitude: number };
}

let dataDir: string;
let service: ServiceProcess;
let api: ApiClient;
let access: ReadonlyMap<string, DeviceAccess>;

/**
 * Fix time of reading `number`, ms; a whole number of seconds. Well over the 5 min within which
 * work makes an asset active, so that no status turns while the suite runs.
 */
const firstTimeMs = Math.floor(Date.now() / 1_000) * 1_000 - 20 * MINUTE_MS;
const timeOf = (number: number) => firstTimeMs + number * 1_000;
const latitudeOf = (number: number) => 52.5 + number / 1_000;

function reading(number: number): string {
  return JSON.stringify({
    timestamp: timeOf(number),
    number,
    latitude: latitudeOf(number),
    longitude: 13.4,
    engine_on: true,
    load_percent: 60,
  });
}

async function start(): Promise<void> {
  service = await startServiceProcess({
    dataDir,
    adminKey: ADMIN_KEY,
    environment: {
      MQTT_WS_PORT: "0",
      MQTTS_PORT: "0",
      TLS_CERT_FILE: PEM("cert"),
      TLS_KEY_FILE: PEM("key"),
    },
  });
  api = createApiClient(service.http, ADMIN_KEY);
}

function device(id: string, options: Partial<Parameters<typeof openDevice>[0]> = {}) {
  const own = access.get(id);
  if (own === undefined) throw new Error(`no asset ${id}`);
  return openDevice({ access: own, port: service.mqttPort, ...options });
}

const location = (id: string, query = "") =>
  api.get<Location>(`/equipment/assets/${id}/location${query}`);

/** Waits until the last reading of an asset is visible, then leaves. */
async function showsReading(id: string, number: number): Promise<void> {
  await until(
    `${id} is at reading ${number}`,
    async () => (await location(id)).current.latitude === latitudeOf(number),
    PATIENT_MS,
  );
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-service-"));
  await start();
  access = await createSite(api, "site-1", ["tcp", "websocket", "tls", "asked", "will", "broken"]);
});

afterAll(async () => {
  await service.end("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

describe("the service as a process", () => {
  it("the service as a process serves readings of QoS 0, 1 and 2, retained or not, in order of fix time", async () => {
    const tcp = await device("tcp");
    expect(tcp.returnCode).toBe(0);
    await tcp.publish({ payload: reading(2), qos: 1 });
    await tcp.publish({ payload: reading(1), qos: 2 });
    await tcp.publish({ payload: reading(4), qos: 1, retain: true });
    await tcp.publish({ payload: reading(3), qos: 0 });
    await until(
      "all four are stored",
      async () => (await storedNumbers(api, "tcp")).length === 4,
      PATIENT_MS,
    );
    expect(await storedNumbers(api, "tcp")).toEqual([1, 2, 3, 4]);
    await showsReading("tcp", 4);
    const { history } = await location("tcp", "?history=true&hours=1");
    expect(history?.map(({ timestamp }) => Date.parse(timestamp))).toEqual(
      [1, 2, 3, 4].map(timeOf),
    );
    await tcp.disconnect();
  });

  it.each(["websocket", "tls"])("the service as a process takes readings over %s", async (id) => {
    const transport =
      id === "tls"
        ? connectTls({ port: service.mqttsPort, host: "127.0.0.1", rejectUnauthorized: false })
        : createWebSocketStream(new WebSocket(service.mqttWs, "mqtt"));
    const client = await device(id, { transport });
    await client.publish({ payload: reading(1) });
    await showsReading(id, 1);
    await client.disconnect();
    // The telemetry is written by another reader of the journal than the position.
    await caughtUp(api);
    expect(await storedNumbers(api, id)).toEqual([1]);
  });

  it("lists why a device is not online, and what became of its messages", async () => {
    const own = access.get("asked") as DeviceAccess;
    const refused = await openDevice({
      access: { ...own, password: "wrong" },
      port: service.mqttPort,
      clientId: "asked-1",
    });
    expect(refused.returnCode).toBe(4);
    const client = await device("asked", { clientId: "asked-1" });
    await client.publish({ payload: reading(1), qos: 1 });
    await client.publish({ payload: "{", qos: 1 });
    await client.disconnect();

    const list = async <T>(name: string) =>
      (await api.get<{ data: readonly T[] }>(`/equipment/assets/asked/${name}`)).data;
    const outcomes = async () =>
      (await list<{ outcome: string }>("connections")).map(({ outcome }) => outcome);
    await until("the end is listed", async () => (await outcomes()).length === 3, PATIENT_MS);
    expect(await outcomes()).toEqual(["disconnect", "accepted", "wrong_password"]);
    expect(await list("connections")).toContainEqual(
      expect.objectContaining({
        address: "127.0.0.1",
        listener: "mqtt",
        protocol_level: 4,
        client_id: "asked-1",
        username: "asked",
      }),
    );
    expect(await list("messages")).toEqual([
      expect.objectContaining({ outcome: "quarantined", reason: expect.stringMatching(/JSON/) }),
      expect.objectContaining({ outcome: "stored", readings: 1, qos: 1, topic: own.topic }),
    ]);
  });

  it("stores the will of a device whose connection breaks, and none after DISCONNECT", async () => {
    const { topic } = access.get("will") as DeviceAccess;
    const will = { topic, payload: Buffer.from(reading(7)), qos: 1 as const, retain: false };
    const leaving = await device("will", { will, clientId: "leaves" });
    await leaving.disconnect();
    const breaking = await device("will", {
      will: { ...will, payload: Buffer.from(reading(8)) },
      clientId: "breaks",
    });
    breaking.cut();
    await showsReading("will", 8);
    await caughtUp(api);
    expect(await storedNumbers(api, "will")).toEqual([8]);
  });

  it("the service as a process counts work of the day and says who is active", async () => {
    const tcp = await device("tcp");
    const now = Date.now();
    for (const ago of [120, 90, 60, 30, 0]) {
      await tcp.publish({
        payload: JSON.stringify({
          timestamp: now - ago * 1_000,
          latitude: 52.6,
          longitude: 13.4,
          engine_on: true,
          load_percent: 50,
        }),
      });
    }
    await tcp.disconnect();
    // All five say the same place: it is shown from the first of them on.
    await caughtUp(api);
    const { data } = await api.get<{ data: readonly Card[] }>(
      "/equipment/assets?project_id=site-1",
    );
    expect(data).toHaveLength(6);
    await until(
      "tcp is active at its last place",
      async () => {
        const list = await api.get<{ data: readonly Card[] }>("/equipment/assets?status=active");
        return list.data.some(({ id, location }) => id === "tcp" && location.latitude === 52.6);
      },
      PATIENT_MS,
    );
    // Local midnight may fall between the readings: the days together hold the 120 s at least.
    const days = await api.get<{ data: readonly { working_s: number; engine_on_s: number }[] }>(
      "/equipment/assets/tcp/utilization",
    );
    const workingS = days.data.reduce((sum, day) => sum + day.working_s, 0);
    expect(workingS).toBeGreaterThanOrEqual(120);
  });

  it("keeps a message that it cannot read, and replays it for a person", async () => {
    const broken = await device("broken");
    await broken.publish({ payload: "{not json" });
    await broken.disconnect();
    const list = () =>
      api.get<{ data: readonly { id: string; payload_base64: string; replayed_at?: string }[] }>(
        "/equipment/quarantine?asset_id=broken",
      );
    const [message] = await until(
      "it is in quarantine",
      async () => {
        const { data } = await list();
        return data.length === 1 && data;
      },
      PATIENT_MS,
    );
    expect(Buffer.from(message?.payload_base64 ?? "", "base64").toString()).toBe("{not json");
    const replay = await api.post<{ accepted: boolean; reason?: string }>(
      `/equipment/quarantine/${message?.id}/replay`,
      {},
    );
    expect(replay).toMatchObject({ accepted: false, reason: expect.any(String) });
    expect((await list()).data[0]).not.toHaveProperty("replayed_at");
  });

  it("refuses a second process on the same folder, naming the pid of the first", async () => {
    const second = await runServiceProcess({ dataDir, adminKey: ADMIN_KEY });
    expect(second.code).toBe(1);
    expect(second.output).toHaveLength(1);
    expect(second.output[0]).toContain(`in use by process ${service.pid}`);
    expect(await storedNumbers(api, "tls")).toEqual([1]);
  });

  it("the service as a process stops under load within 5 s of SIGTERM with exit code 0, loses nothing, and serves the same again", async () => {
    const ids = ["load-0", "load-1", "load-2"];
    const devices: CrashDevice[] = [];
    for (const [i, id] of ids.entries()) {
      const { password, topic } = await createAsset(api, "site-1", id);
      const rest = { timed: i % 2 === 0, firstTimeMs: Date.now() - 60 * MINUTE_MS, window: 20 };
      devices.push(new CrashDevice({ id, password, topic, ...rest }));
    }
    const acknowledged = () => devices.reduce((sum, one) => sum + one.acked.size, 0);
    await caughtUp(api);
    const before = await served();
    const open: MqttDevice = await device("tcp");
    for (const one of devices) one.run(service.mqttPort);
    await until("300 messages are acknowledged", () => acknowledged() >= 300, PATIENT_MS);
    const beginMs = performance.now();
    expect(await service.end("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(performance.now() - beginMs).toBeLessThan(5_000 * slowness());
    await open.closed;

    await start();
    expect(await served()).toEqual(before);
    expect(await mqttCount(api, "received")).toBe(0);
    for (const one of devices) {
      one.run(service.mqttPort);
      one.pause();
    }
    await until(
      "all are seen through",
      () => devices.every((one) => one.inFlight === 0),
      PATIENT_MS,
    );
    await caughtUp(api);
    const stored = new Map<string, readonly number[]>();
    for (const id of ids) stored.set(id, await storedNumbers(api, id));
    for (const one of devices) one.close();
    expect(tallyMessages(devices, stored)).toMatchObject({ lost: 0, twice: 0, invented: 0 });
  });
});

/** Everything that the API says of what was published so far. */
async function served(): Promise<readonly unknown[]> {
  const ids = [...access.keys()];
  const { data } = await api.get<{ data: readonly Card[] }>("/equipment/assets");
  return [
    data
      .filter(({ id }) => access.has(id))
      .map(({ id, status, location }) => ({ id, status, location })),
    await Promise.all(ids.slice(0, 4).map((id) => location(id, "?history=true&hours=1"))),
    await Promise.all(ids.map((id) => storedNumbers(api, id))),
    await api.get("/equipment/assets/tcp/utilization").then((days) => withoutClock(days)),
    await api.get("/equipment/quarantine"),
  ];
}

/** Without what moves with the clock: the share of today that was worked, what was seen, and how much it may be. */
function withoutClock(days: unknown): unknown {
  return JSON.parse(
    JSON.stringify(days, (name, value: unknown) =>
      ["utilization", "utilization_percent", "upper", "seen_percent"].includes(name)
        ? undefined
        : value,
    ),
  );
}
