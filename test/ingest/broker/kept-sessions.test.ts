import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createKeptSessions } from "../../../ingest/broker/kept-sessions.ts";
import { type EventFeed, startEventFeed } from "../../../ingest/delivery/event-feed.ts";
import { type ReaderPlaces, startReaderPlaces } from "../../../ingest/delivery/reader-places.ts";
import { fixedDirectory } from "../../support/fixed-directory.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { newEvent } from "../../support/new-event.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, type RawClient, rawClient } from "../../support/raw-mqtt.ts";
import { until } from "../../support/until.ts";

const FILTER = "sites/p1/events/#";
const log = pino({ level: "silent" });

let records: MemoryRecords;
let feed: EventFeed;
let places: ReaderPlaces;
let server: BrokerUnderTest;
const clients: RawClient[] = [];

beforeEach(async () => {
  records = openMemoryRecords();
  await start();
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.end();
  await stop();
});

async function start(): Promise<void> {
  feed = await startEventFeed({ records: records.events, pollMs: 5, log });
  const { eventReaders, events } = records;
  places = startReaderPlaces({ records: eventReaders, now: Date.now, log, everyMs: 5 });
  server = await openBrokerUnderTest({
    async authenticateReader(key) {
      if (key !== "key-a" && key !== "key-b") return undefined;
      return { keyId: key, allows: (projectId) => projectId !== "hidden" };
    },
    keptSessions: createKeptSessions({
      records: eventReaders,
      events,
      feed,
      directory: fixedDirectory([]),
      places,
      onError: () => undefined,
      now: Date.now,
      log,
    }),
  });
}

async function stop(): Promise<void> {
  await server.close();
  await places.stop();
  await feed.stop();
}

interface ReaderOptions {
  readonly key?: string;
  readonly clean?: boolean;
  readonly clientId?: string;
}

/** A connected reader that acknowledges nothing by itself. */
async function connect({ key = "key-a", clean = false, clientId = "r1" }: ReaderOptions = {}) {
  const client = rawClient(server.broker.ports.mqtt);
  clients.push(client);
  client.send(connectOf("", { clientId, username: "apikey", password: Buffer.from(key), clean }));
  return { client, connack: await client.hear("connack") };
}

async function subscribe(client: RawClient, qos: 0 | 1 | 2 = 1, topic = FILTER): Promise<void> {
  const nth = client.heard.filter(({ cmd }) => cmd === "suback").length;
  client.send({ cmd: "subscribe", messageId: 7 + nth, subscriptions: [{ topic, qos }] });
  await client.hear("suback", nth + 1);
}

/** A connected reader with a kept session that is subscribed. */
async function subscribed(options: ReaderOptions = {}, qos: 0 | 1 = 1): Promise<RawClient> {
  const { client } = await connect(options);
  await subscribe(client, qos);
  return client;
}

const publishes = (client: RawClient) =>
  client.heard.flatMap((packet) => (packet.cmd === "publish" ? [packet] : []));
const idsOf = (client: RawClient): readonly string[] =>
  publishes(client).map(({ payload }) => JSON.parse(String(payload)).id);
const heard = (client: RawClient, count: number) =>
  until(`${count} events`, () => publishes(client).length >= count, PATIENT_MS);
const acknowledge = (client: RawClient, count: number) => {
  for (const { messageId = 0 } of publishes(client).slice(0, count)) {
    client.send({ cmd: "puback", messageId });
  }
};
const placeIs = (sequence: number, key = "key-a") =>
  until(
    `place ${sequence}`,
    async () => (await records.eventReaders.find(`mqtt-session/${key}/r1`))?.sequence === sequence,
    PATIENT_MS,
  );
const raise = (...ids: readonly string[]) => records.events.append(ids.map((id) => newEvent(id)));

async function leave(client: RawClient): Promise<void> {
  client.end();
  await until("the reader is gone", () => server.stats()["readers"] === 0, PATIENT_MS);
}

describe("a kept session of an MQTT reader", () => {
  it("a kept session of an MQTT reader gets what was recorded while the reader was away, without another SUBSCRIBE", async () => {
    const first = await subscribed();
    await raise("e1");
    await heard(first, 1);
    acknowledge(first, 1);
    await placeIs(1);
    await leave(first);
    await raise("e2", "e3");
    const { client, connack } = await connect();
    expect(connack.sessionPresent).toBe(true);
    await heard(client, 2);
    expect(idsOf(client)).toEqual(["e2", "e3"]);
  });

  it("a kept session of an MQTT reader survives the service: nothing of it is in memory", async () => {
    const first = await subscribed();
    await raise("e1", "e2");
    await heard(first, 2);
    acknowledge(first, 1);
    await placeIs(1);
    await stop();
    await raise("e3");
    await start();
    await raise("e4");
    const { client, connack } = await connect();
    expect(connack.sessionPresent).toBe(true);
    await heard(client, 3);
    expect(idsOf(client)).toEqual(["e2", "e3", "e4"]);
  });

  it("a kept session of an MQTT reader moves its place behind the first event without PUBACK only", async () => {
    const client = await subscribed();
    await raise("e1", "e2", "e3");
    await heard(client, 3);
    const [, second, third] = publishes(client);
    for (const packet of [third, second]) {
      client.send({ cmd: "puback", messageId: packet?.messageId ?? 0 });
    }
    client.send({ cmd: "pingreq" });
    await client.hear("pingresp");
    await leave(client);
    await placeIs(0);
    const again = (await connect()).client;
    await heard(again, 3);
    expect(idsOf(again)).toEqual(["e1", "e2", "e3"]);
  });

  it("a kept session of an MQTT reader has at most 100 events without PUBACK, and sends on with each", async () => {
    const client = await subscribed();
    await raise(...Array.from({ length: 300 }, (_, i) => `e${i}`));
    await heard(client, 100);
    client.send({ cmd: "pingreq" });
    await client.hear("pingresp");
    expect(publishes(client)).toHaveLength(100);
    let acknowledged = 0;
    await until(
      "all events",
      () => {
        for (const { messageId = 0 } of publishes(client).slice(acknowledged)) {
          client.send({ cmd: "puback", messageId });
        }
        acknowledged = publishes(client).length;
        return acknowledged === 300;
      },
      PATIENT_MS,
    );
    expect(idsOf(client)).toEqual(Array.from({ length: 300 }, (_, i) => `e${i}`));
    await placeIs(300);
  });

  it("a kept session of an MQTT reader begins each subscription with the next event, and ends it with UNSUBSCRIBE for good", async () => {
    await raise("old");
    await until("the feed", () => feed.lastSequence === 1, PATIENT_MS);
    const { client } = await connect();
    await raise("before");
    await until("the feed", () => feed.lastSequence === 2, PATIENT_MS);
    await subscribe(client);
    await raise("e1");
    await heard(client, 1);
    expect(idsOf(client)).toEqual(["e1"]);
    client.send({ cmd: "unsubscribe", messageId: 9, unsubscriptions: [FILTER] });
    await client.hear("unsuback");
    await leave(client);
    await raise("e2");
    const { client: again, connack } = await connect();
    expect(connack.sessionPresent).toBe(false);
    await subscribe(again, 1, "sites/p2/events/#");
    await records.events.append([newEvent("e3", { projectId: "p2" })]);
    await heard(again, 1);
    expect(idsOf(again)).toEqual(["e3"]);
  });

  it("a kept session of an MQTT reader takes several filters of one SUBSCRIBE, and sends an event that matches two once", async () => {
    const { client } = await connect();
    const subscriptions = ["sites/p1/events/+", FILTER, "sites/p2/events/#"].map(
      (topic) => ({ topic, qos: 1 }) as const,
    );
    client.send({ cmd: "subscribe", messageId: 3, subscriptions: [...subscriptions] });
    await client.hear("suback");
    await records.events.append([newEvent("e1"), newEvent("e2", { projectId: "p2" })]);
    await heard(client, 2);
    client.send({ cmd: "pingreq" });
    await client.hear("pingresp");
    expect(idsOf(client)).toEqual(["e1", "e2"]);
    const stored = await records.eventReaders.find("mqtt-session/key-a/r1");
    expect(stored?.subscriptions).toHaveLength(3);
  });

  it("a kept session of an MQTT reader is refused a project that its key does not see", async () => {
    const { client } = await connect();
    const subscriptions = [{ topic: "sites/hidden/events/#", qos: 1 } as const];
    client.send({ cmd: "subscribe", messageId: 3, subscriptions });
    expect((await client.hear("suback")).granted).toEqual([128]);
  });

  it("a kept session of an MQTT reader sends at QoS 0 what was subscribed with QoS 0, and needs no PUBACK for it", async () => {
    const client = await subscribed({}, 0);
    await raise("e1", "e2");
    await heard(client, 2);
    expect(publishes(client).map(({ qos }) => qos)).toEqual([0, 0]);
    await leave(client);
    await placeIs(2);
  });

  it("a kept session of an MQTT reader is one for each API key, whatever the client id", async () => {
    const a = await subscribed({ key: "key-a" });
    const b = await subscribed({ key: "key-b" });
    await raise("e1");
    await Promise.all([heard(a, 1), heard(b, 1)]);
    acknowledge(a, 1);
    await placeIs(1, "key-a");
    expect([a.isClosed, b.isClosed]).toEqual([false, false]);
    expect((await records.eventReaders.find("mqtt-session/key-b/r1"))?.sequence).toBe(0);
  });

  it("a kept session of an MQTT reader goes to the newer of two connections, from where the older one was", async () => {
    const older = await subscribed();
    await raise("e1");
    await heard(older, 1);
    acknowledge(older, 1);
    await placeIs(1);
    const { client: newer } = await connect();
    await older.closed();
    await raise("e2");
    await heard(newer, 1);
    expect(idsOf(newer)).toEqual(["e2"]);
  });

  it("a kept session of an MQTT reader is forgotten when the client asks for a clean one", async () => {
    await leave(await subscribed());
    await leave((await connect({ clean: true })).client);
    await raise("e1");
    expect((await connect()).connack.sessionPresent).toBe(false);
  });

  it("a kept session of an MQTT reader is refused with code 2 when its key has 50 others, or when its client id is too long to be kept", async () => {
    for (let i = 0; i < 50; i += 1) await records.eventReaders.open(`mqtt-session/key-a/x${i}`, 0);
    expect((await connect()).connack.returnCode).toBe(2);
    const clientId = "x".repeat(257);
    expect((await connect({ key: "key-b", clientId })).connack.returnCode).toBe(2);
  });

  it("a kept session of an MQTT reader is refused with code 3 while the record store is away", async () => {
    records.away = true;
    expect((await connect()).connack.returnCode).toBe(3);
    records.away = false;
  });
});
