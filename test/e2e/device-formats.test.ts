import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { openDevice } from "../support/mqtt-device.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { caughtUp, type DeviceAccess, mqttCount } from "../support/site.ts";
import { until } from "../support/until.ts";

const ADMIN_KEY = "device-formats-admin-key-of-forty-letters";
const SOON_MS = 30_000;
/** A whole second some minutes ago. */
const fixS = Math.floor(Date.now() / 1_000) - 600;

interface EventList {
  readonly data: readonly {
    readonly occurred_at: string;
    readonly asset_id: string;
    readonly location?: object;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
}

let dataDir: string;
let service: ServiceProcess;
let api: ApiClient;
let access: DeviceAccess;

async function start(): Promise<void> {
  service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY });
  api = createApiClient(service.http, ADMIN_KEY);
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-formats-"));
  await start();
  const location = { latitude: 48.8, longitude: 2.3 };
  await api.post("/projects", { id: "site-1", name: "Site", location });
  const made = await api.post<{ mqtt: DeviceAccess }>("/equipment/assets", {
    id: "van",
    name: "Van",
    type: "van",
    project_id: "site-1",
    decoder: "owntracks",
    hardware_id: "fred/pixel",
  });
  access = made.mqtt;
});

afterAll(async () => {
  await service.end("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

const transition = JSON.stringify({
  _type: "transition",
  event: "enter",
  desc: "Gate 3",
  lat: 48.87,
  lon: 2.35,
  tst: fixS + 10,
});

const phone = (clientId: string) =>
  openDevice({
    access,
    port: service.mqttPort,
    clientId,
    will: {
      topic: "owntracks/fred/pixel",
      payload: Buffer.from(JSON.stringify({ _type: "lwt", tst: fixS })),
      qos: 1,
      retain: false,
    },
  });

const told = () =>
  api.get<EventList>("/events?type=equipment.device.notice&limit=100").then(({ data }) => data);

describe("a phone that publishes on the topics of its app", () => {
  it("is placed, and tells each of its notices once over a killed server and a repeated message", async () => {
    const first = await phone("before");
    const fix = { _type: "location", lat: 48.86, lon: 2.34, tst: fixS };
    await first.publish({ topic: "owntracks/fred/pixel", payload: JSON.stringify(fix) });
    const waypoint = { _type: "waypoint", desc: "x", lat: 1, lon: 2, tst: fixS };
    await first.publish({
      topic: "owntracks/fred/pixel/waypoint",
      payload: JSON.stringify(waypoint),
    });
    expect(await mqttCount(api, "messages_ignored")).toBe(1);
    await first.publish({ topic: "owntracks/fred/pixel/event", payload: transition });
    // Acknowledged, and so on disk; whether its event is stored yet, nobody knows.
    await service.end("SIGKILL");

    await start();
    await caughtUp(api);
    const second = await phone("after");
    await second.publish({ topic: "owntracks/fred/pixel/event", payload: transition, dup: true });
    second.cut();
    await until("its last will is told", async () => (await told()).length >= 2, SOON_MS);
    await caughtUp(api);
    const events = await told();
    expect(events.map(({ data }) => data)).toEqual([
      { kind: "transition", event: "enter", desc: "Gate 3", lat: 48.87, lon: 2.35 },
      { kind: "last_will", tst: fixS },
    ]);
    expect(events[0]).toMatchObject({
      asset_id: "van",
      occurred_at: new Date((fixS + 10) * 1_000).toISOString(),
      location: { latitude: 48.87, longitude: 2.35 },
    });
    const place = await api.get<{ current: object }>("/equipment/assets/van/location");
    expect(place.current).toMatchObject({
      latitude: 48.86,
      timestamp: new Date(fixS * 1_000).toISOString(),
    });
  });
});

describe("a device that nobody foresaw", () => {
  const MAPPING = {
    readings: "/uplink/items",
    time: { pointer: "/at", unit: "s" },
    fields: {
      latitude: { pointer: "/pos/0", scale: 1e-7 },
      longitude: { pointer: "/pos/1", scale: 1e-7 },
      speed_kmh: { pointer: "/spd", unit: "mph" },
      engine_on: { pointer: "#/uplink/key", values: { RUN: 1, OFF: 0 } },
    },
  };

  interface Detail {
    readonly latest: Readonly<
      Record<string, { readonly value: number; readonly timestamp: string }>
    >;
  }

  it("is understood by its type's mapping, and its next message by a changed one", async () => {
    await api.put("/equipment/mappings/roller", MAPPING);
    const made = await api.post<{ mqtt: DeviceAccess }>("/equipment/assets", {
      id: "roller-1",
      name: "Roller",
      type: "roller",
      project_id: "site-1",
      decoder: "mapping",
    });
    const roller = await openDevice({ access: made.mqtt, port: service.mqttPort });
    /** Publishes a reading `afterS` seconds after the first and yields the newest values. */
    const latestAfter = async (afterS: number, uplink: object): Promise<Detail["latest"]> => {
      const item = { at: fixS + afterS, pos: [525012345, 134023456], spd: 10, rpm: 1_800 };
      await roller.publish({
        topic: "sites/site-1/assets/roller-1/device",
        payload: JSON.stringify({ uplink: { key: "RUN", items: [item], ...uplink } }),
      });
      await caughtUp(api);
      return (await api.get<Detail>("/equipment/assets/roller-1")).latest;
    };

    const timestamp = new Date(fixS * 1_000).toISOString();
    expect(await latestAfter(0, {})).toEqual({
      latitude: { value: 52.5012345, timestamp },
      longitude: { value: 13.4023456, timestamp },
      speed_kmh: { value: 16.09344, timestamp },
      engine_on: { value: 1, timestamp },
    });

    const engine_speed_rpm = { pointer: "/rpm" };
    const fields = { ...MAPPING.fields, engine_speed_rpm };
    await api.put("/equipment/mappings/roller", { ...MAPPING, fields });
    expect((await latestAfter(10, {}))["engine_speed_rpm"]).toEqual({
      value: 1_800,
      timestamp: new Date((fixS + 10) * 1_000).toISOString(),
    });

    await latestAfter(20, { items: "none" });
    const { data } = await api.get<{ data: readonly { reason: string }[] }>(
      "/equipment/quarantine?asset_id=roller-1",
    );
    expect(data.map(({ reason }) => reason)).toEqual([
      'neither an array nor an object at "/uplink/items", where the readings should be',
    ]);
    roller.cut();
  });
});
