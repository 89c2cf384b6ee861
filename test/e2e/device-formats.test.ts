import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSparkplugPayload } from "../../ingest/decoders/sparkplug/payload.ts";
import {
  encodeSparkplugPayload,
  type MetricToWrite,
} from "../../simulators/fleet/formats/sparkplug-payload.ts";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { openDevice } from "../support/mqtt-device.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { connectOf, rawClient } from "../support/raw-mqtt.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { caughtUp, type DeviceAccess, mqttCount } from "../support/site.ts";
import { until } from "../support/until.ts";

const ADMIN_KEY = "device-formats-admin-key-of-forty-letters";
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

const publishedNotices = () =>
  api.get<EventList>("/events?type=equipment.device.notice&limit=100").then(({ data }) => data);

describe("a phone that publishes on the topics of its app", () => {
  it("a phone is located, and each of its notices is published once over a killed server and a repeated message", async () => {
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
    await until(
      "its last will is published",
      async () => (await publishedNotices()).length >= 2,
      PATIENT_MS,
    );
    await caughtUp(api);
    const events = await publishedNotices();
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

  it("an unforeseen device is understood by its type's mapping, and its next message by a changed one", async () => {
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

describe("an edge node with two devices behind it", () => {
  const T0 = (fixS - 100) * 1_000;
  /** Values say by their thousands what they are of. */
  const THOUSANDS = { flow: 1, pressure: 2, spin: 3, cpu: 4 } as const;
  type Name = keyof typeof THOUSANDS;
  type Aliases = Readonly<Record<Name, number>>;
  const FIRST: Aliases = { flow: 1, pressure: 2, spin: 3, cpu: 4 };
  const SECOND: Aliases = { flow: 2, pressure: 1, spin: 4, cpu: 3 };
  const THIRD: Aliases = { flow: 3, pressure: 4, spin: 1, cpu: 2 };

  interface Said {
    readonly seq?: number;
    readonly bdSeq?: number;
    readonly atS?: number;
    readonly metrics?: readonly MetricToWrite[];
  }

  const born = (aliases: Aliases, name: Name, value: number): MetricToWrite => ({
    ...{ name, alias: aliases[name], type: "Int32", value },
  });
  const byAlias = (aliases: Aliases, name: Name, value: number): MetricToWrite => ({
    ...{ alias: aliases[name], type: "Int32", carriesType: false, value },
  });

  const payloadOf = ({ seq, bdSeq, atS = 0, metrics = [] }: Said): Buffer =>
    encodeSparkplugPayload({
      timestampMs: T0 + atS * 1_000,
      ...(seq === undefined ? {} : { seq }),
      metrics: [
        ...(bdSeq === undefined ? [] : [{ name: "bdSeq", type: "Int64" as const, value: bdSeq }]),
        ...metrics,
      ],
    });

  async function register(id: string, hardware_id: string): Promise<DeviceAccess> {
    const asset = { id, name: id, type: "pump", project_id: "site-1", decoder: "sparkplug" };
    const made = await api.post<{ mqtt: DeviceAccess }>("/equipment/assets", {
      ...asset,
      hardware_id,
    });
    return made.mqtt;
  }

  /** Logs in with the will of that life, and subscribes to its commands. */
  async function connect(password: string, bdSeq: number, clientId = "edge") {
    const client = rawClient(service.mqttPort);
    client.send(
      connectOf("edge", {
        clientId,
        password: Buffer.from(password),
        will: {
          topic: "spBv1.0/Quarry 7/NDEATH/Edge",
          payload: payloadOf({ bdSeq }),
          qos: 1,
          retain: false,
        },
      }),
    );
    await client.hear("connack");
    const filters = ["spBv1.0/Quarry 7/NCMD/Edge/#", "spBv1.0/STATE/plumbline"];
    const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const }));
    client.send({ cmd: "subscribe", messageId: 1, subscriptions });
    await client.hear("suback");
    const say = (what: string, said: Said): void => {
      const [type, device] = what.split("/");
      const topic = ["spBv1.0/Quarry 7", type, "Edge", ...(device ? [device] : [])].join("/");
      const payload = payloadOf(said);
      client.send({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false });
    };
    /** Births of the edge node and both devices, from seq 0 on. */
    const bear = (aliases: Aliases, atS: number): void => {
      say("NBIRTH", { seq: 0, bdSeq, atS, metrics: [born(aliases, "cpu", 4_000)] });
      const ofPump = [born(aliases, "flow", 1_000), born(aliases, "pressure", 2_000)];
      say("DBIRTH/Pump", { seq: 1, atS, metrics: ofPump });
      say("DBIRTH/Fan", { seq: 2, atS, metrics: [born(aliases, "spin", 3_000)] });
    };
    return { client, say, bear };
  }

  interface Detail {
    readonly connection: { readonly link: string };
    readonly latest: Readonly<Record<string, { readonly value: number }>>;
  }
  const detail = (id: string) => api.get<Detail>(`/equipment/assets/${id}`);
  /** What was shown at any time and is of another metric. */
  const wrong: string[] = [];
  /** What is shown of an asset now, names and values. */
  async function shown(id: string): Promise<Readonly<Record<string, number>>> {
    const values: Record<string, number> = {};
    for (const [name, { value }] of Object.entries((await detail(id)).latest)) {
      values[name] = value;
      if (Math.floor(value / 1_000) !== THOUSANDS[name as Name]) wrong.push(`${name} ${value}`);
    }
    return values;
  }
  const showsOf = (id: string, name: Name, value: number) =>
    until(
      `${name} of ${id} is ${value}`,
      async () => (await shown(id))[name] === value,
      PATIENT_MS,
    );

  it("an edge node with two devices behind it is asked for its births after a gap, restarts under other aliases, and never shows a false value", async () => {
    const { password } = await register("edge", "Quarry 7/Edge");
    await register("pump", "Quarry 7/Edge/Pump");
    await register("fan", "Quarry 7/Edge/Fan");
    const first = await connect(password, 8);
    const state = await first.client.hear("publish");
    expect(JSON.parse(String(state.payload))).toMatchObject({ online: true });
    first.bear(FIRST, 0);
    await showsOf("fan", "spin", 3_000);
    expect((await detail("pump")).connection.link).toBe("connected");
    const old = { ...byAlias(FIRST, "flow", 1_777), timestampMs: T0 + 9_000, isHistorical: true };
    const metrics = [byAlias(FIRST, "flow", 1_010), old];
    first.say("DDATA/Pump", { seq: 3, atS: 5, metrics });
    await showsOf("pump", "flow", 1_010);

    // Two messages are missing: what they said of aliases, nobody knows.
    first.say("DDATA/Pump", { seq: 6, atS: 10, metrics: [byAlias(SECOND, "flow", 1_020)] });
    const command = await first.client.hear("publish", 2);
    expect(command.topic).toBe("spBv1.0/Quarry 7/NCMD/Edge");
    expect(readSparkplugPayload(Buffer.from(command.payload))).toMatchObject({
      metrics: [{ name: "Node Control/Rebirth", value: true }],
    });
    first.bear(SECOND, 15);
    first.say("DDATA/Pump", { seq: 3, atS: 20, metrics: [byAlias(SECOND, "flow", 1_030)] });
    await showsOf("pump", "flow", 1_030);

    // The will comes when the socket is gone.
    first.client.end();
    await until(
      "the edge node is dead",
      async () => (await notices()).at(-1)?.["kind"] === "death",
      PATIENT_MS,
    );
    const forgotten = await connect(password, 8, "forgotten");
    const second = await connect(password, 9);
    // In the old numbers, and under new aliases: the births of this connection are missing.
    second.say("DDATA/Pump", { seq: 4, atS: 25, metrics: [byAlias(THIRD, "flow", 1_040)] });
    second.bear(THIRD, 30);
    // The will of a connection before, of which the broker hears late that it is gone.
    forgotten.client.end();
    await until(
      "the old will is known for one",
      async () => (await mqttCount(api, "sparkplug_stale_wills")) === 1,
      PATIENT_MS,
    );
    second.say("DDATA/Pump", { seq: 3, atS: 35, metrics: [byAlias(THIRD, "pressure", 2_050)] });
    second.say("DDEATH/Fan", { seq: 4, atS: 40 });
    await showsOf("pump", "pressure", 2_050);
    await caughtUp(api);

    expect(await shown("pump")).toEqual({ flow: 1_000, pressure: 2_050 });
    expect(wrong).toEqual([]);
    expect(await notices()).toEqual([
      { asset: "edge", kind: "birth", bd_seq: 8, metrics: 2 },
      { asset: "pump", kind: "birth", metrics: 2 },
      { asset: "fan", kind: "birth", metrics: 1 },
      { asset: "edge", kind: "sequence_gap", expected: 4, received: 6 },
      { asset: "edge", kind: "death", bd_seq: 8 },
      { asset: "edge", kind: "birth", bd_seq: 9, metrics: 2 },
      { asset: "pump", kind: "birth", metrics: 2 },
      { asset: "fan", kind: "birth", metrics: 1 },
      { asset: "fan", kind: "death" },
    ]);
    const range = new URLSearchParams({
      from: new Date(T0).toISOString(),
      to: new Date(T0 + 60_000).toISOString(),
      fields: "flow",
    });
    const history = await api.get<{ data: readonly { flow: number }[] }>(
      `/equipment/assets/pump/telemetry?${range}`,
    );
    expect(history.data.map(({ flow }) => flow)).toEqual([
      1_000, 1_010, 1_777, 1_000, 1_030, 1_000,
    ]);
    expect(await mqttCount(api, "sparkplug_stale_wills")).toBe(1);
    second.client.end();
  });

  /** Notices of the edge node and its devices so far. */
  async function notices(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const events = await publishedNotices();
    return events
      .filter(({ asset_id }) => asset_id !== "van")
      .map(({ asset_id, data }) => ({ asset: asset_id, ...data }));
  }
});
