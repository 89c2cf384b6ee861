import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { connectAsync } from "mqtt";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiClient } from "../../support/api-client.ts";
import { INFLUXDB } from "../../support/influx-server.ts";
import type { MqttDevice } from "../../support/mqtt-device.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { createAsset, createSite, type DeviceAccess, storedNumbers } from "../../support/site.ts";
import { slowness } from "../../support/slowness.ts";
import { openSse } from "../../support/sse-client.ts";
import { until } from "../../support/until.ts";
import {
  ADMIN_KEY,
  type Cluster,
  letIn,
  openCluster,
  type RoleProcess,
  SERVERS,
} from "./cluster.ts";

/** docs/rules.md#keys-and-requests: a revoked key stops within 5 s. */
const REVOKED_MS = 5_000;
const MIGRATIONS = readdirSync(new URL("../../../storage/records/migrations/", import.meta.url));

interface NewKey {
  readonly id: string;
  readonly key: string;
}

interface Stored {
  readonly data: readonly { readonly id: string; readonly replayed_at?: string }[];
}

const absence = SERVERS.absent === undefined ? "" : ` (skipped: ${SERVERS.absent})`;

it.runIf(SERVERS.required)(
  "PostgreSQL and an S3 server are there for the roles, as required",
  () => {
    expect(SERVERS.absent).toBeUndefined();
  },
);

describe.skipIf(SERVERS.absent !== undefined)(`roles as processes of their own${absence}`, () => {
  let cluster: Cluster;
  let ingest: RoleProcess;
  let first: RoleProcess;
  let second: RoleProcess;
  let both: readonly RoleProcess[];
  let access: ReadonlyMap<string, DeviceAccess>;

  beforeAll(async () => {
    cluster = await openCluster();
    // Together, on an empty database: one of them migrates it.
    [ingest, first, second] = await Promise.all([
      cluster.start("ingest"),
      cluster.start("api"),
      cluster.start("api"),
    ]);
    both = [first, second];
    access = await createSite(first.api, "yard", ["digger", "truck", "mixer"]);
  });
  afterAll(() => cluster?.close());

  /** Connects once ingest has learned of the asset. */
  async function device(id: string): Promise<MqttDevice> {
    const own = access.get(id);
    if (own === undefined) throw new Error(`no asset ${id}`);
    return await letIn(ingest, own);
  }

  const makeKey = (change: object = {}): Promise<NewKey> =>
    first.api.post<NewKey>("/keys", {
      name: "test",
      scopes: ["equipment:read", "events:read"],
      plan: "standard",
      ...change,
    });

  const assets = ({ service }: RoleProcess, key: string): Promise<Response> =>
    fetch(`${service.http}/api/v1/equipment/assets`, {
      headers: { authorization: `Bearer ${key}` },
    });

  const reading = (latitude: number, more: object = {}) =>
    JSON.stringify({ timestamp: Date.now(), latitude, longitude: 13.4, ...more });

  const location = async (api: ApiClient, id: string) =>
    (await api.get<{ current: { latitude: number } }>(`/equipment/assets/${id}/location`)).current;

  it("an empty database is migrated once, though three processes start on it together", async () => {
    const client = new pg.Client({ connectionString: cluster.databaseUrl });
    await client.connect();
    const { rows } = await client.query("SELECT version FROM schema_migrations ORDER BY version");
    await client.end();
    expect(rows.map((row) => row.version)).toEqual(MIGRATIONS.map((_, i) => i + 1));
  });

  it("what one API process registered another knows at once", async () => {
    const location = { latitude: 52.5, longitude: 13.4 };
    for (let i = 0; i < 5; i += 1) {
      const id = `pit-${i}`;
      await first.api.post("/projects", { id, name: id, location });
      const asset = { id: `${id}-van`, name: id, type: "van", project_id: id };
      expect(await second.api.post("/equipment/assets", asset)).toMatchObject({ id: asset.id });
      const path = `/equipment/assets/${asset.id}`;
      expect(await first.api.get(path)).toMatchObject({ id: asset.id });
    }
  });

  it("names everything that a role lacks in one error", async () => {
    const none = { DATABASE_URL: "", INFLUX_URL: "", S3_BUCKET: "", SECRET_KEY: "" };
    const output = await cluster.fail("processing", none);
    expect(output).toContain(
      "ROLE=processing needs DATABASE_URL, INFLUX_URL, S3_BUCKET, SECRET_KEY",
    );
  });

  it("only one process takes messages in without an external broker", async () => {
    expect(await cluster.fail("ingest", {})).toContain("several need KAFKA_BROKERS");
  });

  it("only the roles with an API serve it, and all roles serve health", async () => {
    const processing = await cluster.start("processing");
    for (const { service } of [ingest, processing]) {
      expect((await fetch(`${service.http}/api/v1/equipment/assets`)).status).toBe(404);
      expect((await fetch(`${service.http}/health/ready`)).status).toBe(200);
      expect(await (await fetch(`${service.http}/metrics`)).text()).toContain("process_cpu_");
    }
    for (const { service } of both) {
      expect((await fetch(`${service.http}/health/ready`)).status).toBe(200);
      expect(service.mqttPort).toBe(0);
    }
  });

  it("every API process shows where a machine is, as ingest learns it", async () => {
    const digger = await device("digger");
    const latitudeAt = async ({ api }: RoleProcess) => (await location(api, "digger")).latitude;
    for (const [i, latitude] of [52.51, 52.52].entries()) {
      await digger.publish({ payload: reading(latitude, { number: i, engine_on: true }), qos: 1 });
      for (const one of both) {
        await until(
          "digger is there",
          async () => (await latitudeAt(one)) === latitude,
          PATIENT_MS,
        );
      }
    }
    expect(await Promise.all(both.map(latitudeAt))).toEqual([52.52, 52.52]);
    await digger.disconnect();
  });

  it.skipIf(INFLUXDB.absent !== undefined)(
    "an API process reads what was measured from InfluxDB",
    async () => {
      await until(
        "both rows are there",
        async () => (await storedNumbers(second.api, "digger")).length === 2,
        PATIENT_MS,
      );
      expect(await storedNumbers(first.api, "digger")).toEqual([0, 1]);
    },
  );

  it("two API processes together let exactly 1,000 of 1,200 requests in a minute pass", async () => {
    // A run during which the minute ended says nothing; the next one begins a minute that is new.
    for (let attempt = 1; ; attempt++) {
      const { key } = await makeKey();
      const answers = await inParallel(1_200, 24, (i) =>
        assets(both[i % 2] as RoleProcess, key).then(async (answer) => {
          await answer.arrayBuffer();
          return answer;
        }),
      );
      const ends = new Set(answers.map(({ headers }) => headers.get("x-ratelimit-reset")));
      if (ends.size > 1 && attempt < 5) continue;
      const passed = answers.filter(({ status }) => status === 200);
      const remaining = passed.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
      expect(ends.size).toBe(1);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(200);
      expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
      return;
    }
  });

  it("clients of the event streams of both API processes receive what was raised in ingest", async () => {
    const { key } = await makeKey();
    const streams = await Promise.all(
      both.map(({ service }) => openSse(`${service.http}/api/v1/events/stream`, { key })),
    );
    await second.api.post("/equipment/geofences", {
      id: "pit",
      name: "Pit",
      project_id: "yard",
      polygon: [
        [53.5, 13.39],
        [53.5, 13.41],
        [53.51, 13.41],
        [53.51, 13.39],
      ],
    });
    const truck = await device("truck");
    await truck.publish({ payload: reading(53.505), qos: 1 });
    for (const stream of streams) {
      await until(
        "the event",
        () => stream.messages.some(({ event }) => event === "equipment.geofence.entered"),
        PATIENT_MS,
      );
    }
    const ids = streams.map(({ messages }) =>
      messages
        .filter(({ event }) => event === "equipment.geofence.entered")
        .map(({ data }) => (JSON.parse(data) as { id: string }).id),
    );
    expect(ids[0]).toHaveLength(1);
    expect(ids[1]).toEqual(ids[0]);
    for (const stream of streams) stream.cut();
    await truck.disconnect();
  });

  it("stops a revoked key within 5 s everywhere: requests, event streams, MQTT readers", async () => {
    const { id, key } = await makeKey();
    const streams = await Promise.all(
      both.map(({ service }) => openSse(`${service.http}/api/v1/events/stream`, { key })),
    );
    const reader = await connectAsync(`mqtt://127.0.0.1:${ingest.service.mqttPort}`, {
      username: "apikey",
      password: key,
      protocolVersion: 4,
      reconnectPeriod: 0,
    });
    for (const one of both) expect((await assets(one, key)).status).toBe(200);

    await fetch(`${first.service.http}/api/v1/keys/${id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    const revokedMs = performance.now();
    const sinceMs = () => performance.now() - revokedMs;
    const stopped = await Promise.all([
      ...both.map(async (one) => {
        let lastPassedMs = 0;
        for (;;) {
          const sentMs = sinceMs();
          const { status } = await assets(one, key);
          if (status === 401) return lastPassedMs;
          expect(status).toBe(200);
          lastPassedMs = sentMs;
          // Not so fast that the key's 1,000 requests a minute run out first.
          await delay(20);
        }
      }),
      ...streams.map(async (stream) => {
        await until("the stream ends", () => stream.isOver, PATIENT_MS);
        return sinceMs();
      }),
      until("the reader is cut", () => !reader.connected, PATIENT_MS).then(sinceMs),
    ]);
    const latestMs = REVOKED_MS * slowness();
    expect(stopped.filter((ms) => ms > latestMs)).toEqual([]);
    await reader.endAsync(true);
  });

  it("ingest carries out what an API process is asked to replay", async () => {
    const mixer = await device("mixer");
    await mixer.publish({ payload: "no reading", qos: 1 });
    await mixer.publish({ payload: "{", qos: 1 });
    const list = () => second.api.get<Stored>("/equipment/quarantine?asset_id=mixer");
    await until("both are kept", async () => (await list()).data.length === 2, PATIENT_MS);
    const [message] = (await list()).data;
    const client = new pg.Client({ connectionString: cluster.databaseUrl });
    await client.connect();
    // As after an update of the decoder: the same message is readable now.
    await client.query("UPDATE quarantine SET payload = $2 WHERE id = $1", [
      message?.id,
      Buffer.from(reading(52.7)),
    ]);
    await client.end();
    const answer = await first.api.post<{ accepted: boolean }>(
      `/equipment/quarantine/${message?.id}/replay`,
      {},
    );
    expect(answer.accepted).toBe(true);
    await until(
      "ingest has noted it",
      async () => (await list()).data.some(({ replayed_at }) => replayed_at !== undefined),
      PATIENT_MS,
    );
    await until(
      "mixer is where the message says",
      async () => (await location(second.api, "mixer")).latitude === 52.7,
      PATIENT_MS,
    );
    await mixer.disconnect();
  });

  it("brings a command of an API process to the device at ingest, and its answer to the other", async () => {
    // Ingest has learned of it.
    await (await device("mixer")).disconnect();
    const own = access.get("mixer");
    const client = await connectAsync(`mqtt://127.0.0.1:${ingest.service.mqttPort}`, {
      ...{
        protocolVersion: 4,
        username: "mixer",
        password: own?.password ?? "",
        clientId: "mixer",
      },
    });
    client.on("message", (topic, payload) => {
      const { id } = JSON.parse(payload.toString()) as { readonly id: string };
      client.publish(`${topic}/${id}/reply`, '{"status":"ok"}', { qos: 1 });
    });
    await client.subscribeAsync("sites/yard/assets/mixer/commands", { qos: 1 });
    const path = "/equipment/assets/mixer/commands";
    const { id } = await first.api.post<{ id: string }>(path, { name: "wash" });

    const ended = await until(
      "the command is answered",
      async () => {
        const command = await second.api.get<{ status: string }>(`${path}/${id}`);
        return command.status === "answered" && command;
      },
      PATIENT_MS,
    );
    expect(ended).toMatchObject({ attempt: 1, answer: { value: { status: "ok" } } });
    await client.endAsync();
  });

  it("lets a machine log in that was registered at an API process while ingest runs", async () => {
    const own = await createAsset(second.api, "yard", "late");
    access = new Map([...access, ["late", own]]);
    const late = await device("late");
    expect(late.returnCode).toBe(0);
    await late.disconnect();
  });
});

/** Results of `count` calls, `width` of them under way at a time. */
async function inParallel<T>(
  count: number,
  width: number,
  call: (i: number) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let i = next++; i < count; i = next++) results.push(await call(i));
    }),
  );
  return results;
}
