import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import mqtt from "mqtt";
import mqttPacket, { type Packet } from "mqtt-packet";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { manualJournal } from "../../support/manual-journal.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import {
  connectOf,
  publishOf,
  type RawClient,
  rawClient,
  rawClientOver,
} from "../../support/raw-mqtt.ts";
import { slowness } from "../../support/slowness.ts";

const TLS = join(import.meta.dirname, "tls");

let world: BrokerUnderTest;
const clients: RawClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.end();
  await world.close();
});

async function logIn(...args: Parameters<typeof connectOf>): Promise<RawClient> {
  const client = rawClient(world.broker.ports.mqtt);
  clients.push(client);
  client.send(connectOf(...args));
  expect((await client.hear("connack")).returnCode).toBe(0);
  return client;
}

/** Resolves when every packet sent before it was dealt with. */
async function settled(client: RawClient): Promise<void> {
  const pings = client.heard.filter(({ cmd }) => cmd === "pingresp").length;
  client.send({ cmd: "pingreq" });
  await client.hear("pingresp", pings + 1);
}

const speeds = async (): Promise<unknown[]> =>
  (await world.entries()).flatMap((entry) =>
    entry.type === "readings" ? entry.batch.readings.map(({ fields }) => fields["speed_kmh"]) : [],
  );

describe("a publish", () => {
  it("a publish of QoS 1 gets its PUBACK after the commit and not before", async () => {
    const journal = manualJournal();
    world = await openBrokerUnderTest({ journal });
    const client = await logIn("a1");
    client.send(publishOf("a1", 7), publishOf("a1", 8));
    await settled(client);
    expect(client.heard.filter(({ cmd }) => cmd === "puback")).toEqual([]);
    journal.commit();

    expect((await client.hear("puback", 1)).messageId).toBe(7);
    expect((await client.hear("puback", 2)).messageId).toBe(8);
    expect(await speeds()).toEqual([7, 8]);
  });

  it("a publish of QoS 2 gets PUBREC after the commit, PUBCOMP after PUBREL, and is stored once", async () => {
    const journal = manualJournal();
    world = await openBrokerUnderTest({ journal });
    const client = await logIn("a1");
    client.send(publishOf("a1", 7, { qos: 2 }));
    await settled(client);
    expect(client.heard.some(({ cmd }) => cmd === "pubrec")).toBe(false);
    journal.commit();
    await client.hear("pubrec");
    client.send(publishOf("a1", 7, { qos: 2, dup: true }));
    await client.hear("pubrec", 2);
    client.send({ cmd: "pubrel", messageId: 7 });
    await client.hear("pubcomp");
    journal.commit();

    expect(await speeds()).toEqual([7]);
    expect(world.stats()).toMatchObject({ qos2_repeated: 1, acknowledged: 2 });
  });

  it("a publish of QoS 2 resent after a reconnect is stored once", async () => {
    world = await openBrokerUnderTest();
    const first = await logIn("a1");
    first.send(publishOf("a1", 7, { qos: 2 }));
    await first.hear("pubrec");
    first.end();
    const second = await logIn("a1", { clean: false });
    second.send(publishOf("a1", 7, { qos: 2, dup: true }));
    await second.hear("pubrec");

    expect(await speeds()).toEqual([7]);
  });

  it("a publish of QoS 0 is stored without an answer", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1");
    client.send(publishOf("a1", 7, { qos: 0 }), publishOf("a1", 8));
    await client.hear("puback");

    expect(await speeds()).toEqual([7, 8]);
    expect(client.heard.map(({ cmd }) => cmd)).toEqual(["connack", "puback"]);
  });

  it("one of 60 that come right behind CONNECT, in the same segment, is stored like the others", async () => {
    world = await openBrokerUnderTest();
    const client = rawClient(world.broker.ports.mqtt);
    clients.push(client);
    client.send(connectOf("a1"), ...Array.from({ length: 60 }, (_, i) => publishOf("a1", i + 1)));
    await client.hear("puback", 60);

    expect(await speeds()).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });

  it("a publish cut into single bytes on the wire is read like a whole one", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1");
    for (const byte of mqttPacket.generate(publishOf("a1", 9))) {
      client.sendBytes(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await client.hear("puback");

    expect(await speeds()).toEqual([9]);
  });

  it("a publish of 300 KiB in pieces is acknowledged and kept in quarantine, cut at 256 KiB", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1");
    const payload = Buffer.alloc(300 * 1024, " ");
    client.send(publishOf("a1", 1, { payload }), publishOf("a1", 2));
    await client.hear("puback", 2);

    const [first] = await world.entries();
    if (first?.type !== "quarantined") throw new Error("not quarantined");
    expect(first.message.payload.byteLength).toBe(256 * 1024);
    expect(await speeds()).toEqual([2]);
  });

  it("a publish with the retain bit is taken like one without, and nothing is retained", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1");
    client.send(publishOf("a1", 1, { retain: true }), publishOf("a1", 2, { retain: true, qos: 2 }));
    await client.hear("pubrec");
    client.send({
      cmd: "subscribe",
      messageId: 3,
      subscriptions: [{ topic: "sites/p1/assets/a1/cmd/#", qos: 1 }],
    });
    await client.hear("suback");
    await settled(client);

    expect(await speeds()).toEqual([1, 2]);
    expect(client.heard.some(({ cmd }) => cmd === "publish")).toBe(false);
  });

  it("a publish is answered in order when journalled and foreign messages alternate", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1");
    const packets = Array.from({ length: 40 }, (_, i) =>
      publishOf("a1", i + 1, i % 2 === 0 ? {} : { topic: "sites/p1/assets/a2/telemetry" }),
    );
    client.send(...packets);
    await client.hear("puback", 40);

    const acknowledged = client.heard.flatMap((packet) =>
      packet.cmd === "puback" ? [packet.messageId] : [],
    );
    expect(acknowledged).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(world.stats()["foreign"]).toBe(20);
  });

  it("a publish from a reader ends the connection", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("", { username: "apikey", password: Buffer.from("reader-key") });
    client.send(publishOf("a1", 1, { topic: "sites/p1/events/x" }));

    await client.closed();
    expect(world.stats()["reader_publish"]).toBe(1);
  });
});

describe("a will", () => {
  const will = (topic: string) => ({
    topic,
    payload: Buffer.from('{"engine_on":false}'),
    qos: 1 as const,
    retain: true,
  });

  it("a will is stored as a message of the same asset when the connection breaks", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1", { will: will("sites/p1/assets/a1/telemetry") });
    client.socket.resetAndDestroy();

    await vi.waitUntil(() => world.stats()["readings"] === 1, { timeout: PATIENT_MS });
    expect(await world.entries()).toMatchObject([
      { type: "readings", batch: { assetId: "a1", readings: [{ fields: { engine_on: 0 } }] } },
    ]);
  });

  it("a will is dropped after DISCONNECT", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1", { will: will("sites/p1/assets/a1/telemetry") });
    client.send({ cmd: "disconnect" });
    await client.closed();
    await vi.waitUntil(() => world.stats()["sessions"] === 0, { timeout: PATIENT_MS });

    expect(world.stats()).toMatchObject({ wills: 0, received: 0 });
  });

  it.each([
    "sites/p1/assets/a2/telemetry",
    "sites/p1/events/x",
    "$SYS/x",
  ])("a will on %s is journalled as foreign, and no reader hears it", async (topic) => {
    world = await openBrokerUnderTest();
    const reader = await logIn("", { username: "apikey", password: Buffer.from("reader-key") });
    reader.send({
      cmd: "subscribe",
      messageId: 1,
      subscriptions: [{ topic: "sites/p1/events/#", qos: 1 }],
    });
    await reader.hear("suback");
    const client = await logIn("a1", { will: will(topic) });
    client.socket.resetAndDestroy();
    await vi.waitUntil(() => world.stats()["foreign"] === 1, { timeout: PATIENT_MS });
    world.broker.publish("sites/p1/events/after", "{}");

    expect((await reader.hear("publish")).topic).toBe("sites/p1/events/after");
    await vi.waitUntil(async () => (await world.entries()).length === 1, { timeout: PATIENT_MS });
    expect(await world.entries()).toMatchObject([{ type: "foreign", publish: { topic } }]);
  });

  it("a will of every connected device is stored when the broker stops", async () => {
    const journal = manualJournal();
    world = await openBrokerUnderTest({ journal });
    await logIn("a1", { will: will("sites/p1/assets/a1/telemetry") });
    await world.broker.close();
    journal.commit();

    expect(journal.entries()).toMatchObject([{ type: "readings", batch: { assetId: "a1" } }]);
  });
});

describe("a subscription", () => {
  const subscribe = (...topics: string[]): Packet => ({
    cmd: "subscribe",
    messageId: 1,
    subscriptions: topics.map((topic) => ({ topic, qos: 1 })),
  });

  it("a subscription of a device is granted under its own commands only; a denied one closes nothing", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1");
    client.send(
      subscribe(
        "sites/p1/assets/a1/cmd/#",
        "sites/+/assets/a1/cmd/#",
        "sites/p1/assets/a2/cmd/#",
        "sites/p1/assets/+/cmd/#",
        "sites/p1/assets/a1/telemetry",
        "sites/p1/events/#",
        "#",
        "$SYS/#",
        "$share/g/sites/p1/assets/a1/cmd/#",
      ),
    );

    expect((await client.hear("suback")).granted).toEqual([
      1, 1, 128, 128, 128, 128, 128, 128, 128,
    ]);
    await settled(client);
    expect(world.stats()["subscribe_denied"]).toBe(7);
  });

  it("a subscription of a reader is granted for events of the projects that its key may see", async () => {
    world = await openBrokerUnderTest();
    const reader = await logIn("", { username: "apikey", password: Buffer.from("reader-key") });
    reader.send(
      subscribe("sites/p1/events/#", "sites/p2/events/#", "sites/+/events/#", "sites/p1/assets/#"),
    );
    expect((await reader.hear("suback")).granted).toEqual([1, 128, 128, 128]);
    world.broker.publish("sites/p2/events/x", "other");
    world.broker.publish("sites/p1/events/x", "own");

    const { topic, payload } = await reader.hear("publish");
    expect({ topic, payload: payload.toString() }).toEqual({
      topic: "sites/p1/events/x",
      payload: "own",
    });
  });

  it("a subscription hears events at the QoS it asked for, 1 at most, each with a packet id of its own", async () => {
    world = await openBrokerUnderTest();
    const readers = await Promise.all(
      ([0, 1, 2] as const).map(async (qos) => {
        const password = Buffer.from("reader-key");
        const reader = await logIn("", { username: "apikey", clientId: `r${qos}`, password });
        reader.send({
          cmd: "subscribe",
          messageId: 1,
          subscriptions: [{ topic: "sites/p1/events/#", qos }],
        });
        await reader.hear("suback");
        return reader;
      }),
    );
    for (const payload of ["first", "second"]) world.broker.publish("sites/p1/events/x", payload);

    const heard = await Promise.all(
      readers.map(async (reader) => {
        const packets = [await reader.hear("publish"), await reader.hear("publish", 2)];
        reader.send(
          ...packets.map(({ messageId }): Packet => ({ cmd: "puback", messageId: messageId ?? 1 })),
        );
        await settled(reader);
        return {
          payloads: packets.map(({ payload }) => payload.toString()),
          qos: packets.map(({ qos }) => qos),
          ids: new Set(packets.map(({ messageId }) => messageId)).size,
        };
      }),
    );
    const payloads = ["first", "second"];
    expect(heard).toEqual([
      { payloads, qos: [0, 0], ids: 1 },
      { payloads, qos: [1, 1], ids: 2 },
      { payloads, qos: [1, 1], ids: 2 },
    ]);
  });

  it("a subscription is one of 20 at most on a connection", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1");
    const topics = Array.from({ length: 25 }, (_, i) => `sites/p1/assets/a1/cmd/${i}`);
    client.send(subscribe(...topics));

    expect((await client.hear("suback")).granted.filter((code) => code === 128)).toHaveLength(5);
  });

  it("a subscription never hears what a device publishes on an event topic", async () => {
    world = await openBrokerUnderTest();
    const reader = await logIn("", { username: "apikey", password: Buffer.from("reader-key") });
    reader.send(subscribe("sites/p1/events/#"));
    await reader.hear("suback");
    const device = await logIn("a1");
    device.send(
      publishOf("a1", 1, { topic: "sites/p1/events/fake" }),
      publishOf("a1", 2, { topic: "sites/p1/events/fake", qos: 2 }),
      publishOf("a1", 3, { topic: "sites/p1/events/fake", qos: 0 }),
    );
    await device.hear("pubrec");
    world.broker.publish("sites/p1/events/real", "{}");

    expect((await reader.hear("publish")).topic).toBe("sites/p1/events/real");
  });

  it("a subscription that is not read from is cut; a device beside it is answered all the while", async () => {
    world = await openBrokerUnderTest();
    const reader = await logIn("", { username: "apikey", password: Buffer.from("reader-key") });
    reader.send(subscribe("sites/p1/events/#"));
    await reader.hear("suback");
    reader.socket.pause();
    const device = await logIn("a1");
    const event = "x".repeat(50_000);
    let slowestMs = 0;
    for (let i = 1; i <= 400 && world.stats()["readers"] === 1; i += 1) {
      world.broker.publish("sites/p1/events/x", event);
      const sentMs = performance.now();
      device.send(publishOf("a1", i));
      await device.hear("puback", i);
      slowestMs = Math.max(slowestMs, performance.now() - sentMs);
    }

    await vi.waitUntil(() => world.stats()["readers"] === 0, { timeout: PATIENT_MS });
    expect(slowestMs).toBeLessThan(1_000 * slowness());
    expect(world.stats()["slow_subscriber"]).toBeGreaterThanOrEqual(1);
  });
});

describe("a subscriber that is not read from", () => {
  it("a subscriber that is not read from is cut for what waits for it, before the small events of others wait too", async () => {
    world = await openBrokerUnderTest();
    const [stuck, quick] = await Promise.all(
      ["stuck", "quick"].map(async (clientId) => {
        const password = Buffer.from("reader-key");
        const reader = await logIn("", { username: "apikey", clientId, password });
        reader.send({
          cmd: "subscribe",
          messageId: 1,
          subscriptions: [{ topic: "sites/p1/events/#", qos: 1 }],
        });
        await reader.hear("suback");
        return reader;
      }),
    );
    stuck?.socket.pause();
    const event = "x".repeat(350);
    let count = 0;
    // Most of it ends in the buffers of the sockets, some megabytes.
    while (world.stats()["slow_subscriber"] === 0 && count < 100_000) {
      for (let i = 0; i < 500; i += 1) world.broker.publish("sites/p1/events/x", event);
      count += 500;
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(world.stats()).toMatchObject({ slow_subscriber: expect.any(Number) });
    expect(world.stats()["slow_subscriber"]).toBeGreaterThan(0);
    await quick?.hear("publish", count);
  });
});

describe("a device over its rate", () => {
  it("a device over its rate is read more slowly: nothing is lost, and its connection stays", async () => {
    world = await openBrokerUnderTest({ readingsPerS: 200, burstReadings: 1_000 });
    const client = await logIn("a1");
    const startMs = performance.now();
    client.send(
      ...Array.from({ length: 1_200 }, (_, i) =>
        publishOf("a1", i + 1, { payload: '{"speed_kmh":1}' }),
      ),
    );
    await client.hear("puback", 1_200);

    // 200 readings beyond the burst at 200 a second.
    expect(performance.now() - startMs).toBeGreaterThan(900);
    expect(await speeds()).toHaveLength(1_200);
    expect(world.stats()["throttled"]).toBeGreaterThan(100);
  });
});

describe("transports", () => {
  it("WebSocket takes MQTT at /mqtt with the subprotocol mqtt", async () => {
    world = await openBrokerUnderTest({ settings: { mqttWsPort: 0 } });
    const client = await mqtt.connectAsync(`ws://127.0.0.1:${world.broker.ports.ws}/mqtt`, {
      username: "a1",
      password: "a1-secret",
      clientId: "ws",
      reconnectPeriod: 0,
    });
    const big = JSON.stringify(
      Array(1_000).fill({ speed_kmh: 1, note: randomBytes(60).toString("hex") }),
    );
    await client.publishAsync("sites/p1/assets/a1/telemetry", big, { qos: 1 });
    await client.endAsync();

    expect(await speeds()).toHaveLength(1_000);
  });

  it.each([
    ["another path", "/other", "mqtt"],
    ["another subprotocol", "/mqtt", "soap"],
  ])("WebSocket refuses %s", async (_name, path, protocol) => {
    world = await openBrokerUnderTest({ settings: { mqttWsPort: 0 } });
    const socket = new WebSocket(`ws://127.0.0.1:${world.broker.ports.ws}${path}`, protocol);
    const ended = await new Promise<string>((resolve) => {
      socket.on("close", () => resolve("closed"));
      socket.on("error", () => resolve("closed"));
    });

    expect(ended).toBe("closed");
    expect(world.stats()["connections"]).toBe(0);
  });

  it("TLS takes 1.2 and 1.3 and refuses 1.1", async () => {
    world = await openBrokerUnderTest({
      settings: { tlsCertFile: join(TLS, "cert.pem"), tlsKeyFile: join(TLS, "key.pem") },
    });
    const port = world.broker.ports.mqtts ?? 0;
    const ca = readFileSync(join(TLS, "cert.pem"));
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const socket = connectTls({
        port,
        host: "127.0.0.1",
        ca,
        minVersion: version,
        maxVersion: version,
      });
      const client = rawClientOver(socket);
      clients.push(client);
      client.send(connectOf("a1", { clientId: version }), publishOf("a1", 1));
      await client.hear("puback");
    }
    const old = connectTls({
      port,
      host: "127.0.0.1",
      ca,
      minVersion: "TLSv1.1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT:@SECLEVEL=0",
    });
    const outcome = await new Promise<string>((resolve) => {
      old.once("secureConnect", () => resolve("connected"));
      old.once("error", () => resolve("refused"));
    });

    expect(outcome).toBe("refused");
    expect(await speeds()).toEqual([1, 1]);
  });

  it("TLS with a CA asks every client for a certificate", async () => {
    const cert = join(TLS, "cert.pem");
    const key = join(TLS, "key.pem");
    world = await openBrokerUnderTest({
      settings: { tlsCertFile: cert, tlsKeyFile: key, tlsCaFile: cert },
    });
    const port = world.broker.ports.mqtts ?? 0;
    const ca = readFileSync(cert);
    const without = rawClientOver(connectTls({ port, host: "127.0.0.1", ca }));
    without.send(connectOf("a1"));
    await without.closed();
    const own = connectTls({ port, host: "127.0.0.1", ca, cert: ca, key: readFileSync(key) });
    const client = rawClientOver(own);
    clients.push(client);
    client.send(connectOf("a1"));

    expect((await client.hear("connack")).returnCode).toBe(0);
    expect(world.stats()["connections"]).toBe(1);
  });

  it("a port that is taken is an error at start, and leaves nothing open", async () => {
    world = await openBrokerUnderTest();
    const taken = world.broker.ports.mqtt;

    await expect(openBrokerUnderTest({ settings: { mqttWsPort: taken } })).rejects.toThrow(
      `MQTT_WS_PORT ${taken} (127.0.0.1) is in use by another program`,
    );
  });
});
